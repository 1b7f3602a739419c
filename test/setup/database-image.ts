import { prepareEmbeddedDatabase } from '../../packages/database/src/pglite/database-image.ts'

/** The image that embedded databases of tests are copied from, made before the first test file needs it. */
export const setup = prepareEmbeddedDatabase
