import { bundleParsers } from '../../apps/server/src/loading/bundle-parsers.ts'

/** The program that parses documents, bundled as after `npm ci`: each of a hundred documents in tests starts it anew. */
export const setup = bundleParsers
