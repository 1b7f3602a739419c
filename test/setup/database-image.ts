import { prepareEmbeddedDatabase } from '@troupe/database'

/** The image that embedded databases of tests are copied from, made before the first test file needs it. */
export const setup = prepareEmbeddedDatabase
