import { bundleParsers } from '../../apps/server/src/loading/bundle-parsers.ts'

/** The document parser, bundled as after `npm ci`: each of a hundred documents in tests starts it. */
export const setup = bundleParsers
