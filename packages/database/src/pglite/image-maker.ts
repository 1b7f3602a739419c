import { makeImage } from './make-image.ts'

/** Entry point of the separate process that database-image.ts starts; the argument is the cache folder. */
await makeImage(process.argv[2] ?? '')
