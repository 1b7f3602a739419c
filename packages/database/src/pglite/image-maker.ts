import { makeImage } from './make-image.ts'

/** A process of its own, started by database-image.ts: its argument is the cache folder. */
await makeImage(process.argv[2] ?? '')
