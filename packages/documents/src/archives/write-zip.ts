import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of an archive that is written. */
export interface ZipContent {
  /** Relative, with slashes. */
  path: string
  content: Buffer | Readable
}

/** All entries have this time, so that equal contents make equal archives. */
const MTIME = new Date(Date.UTC(2000, 0, 1))

/**
 * A zip archive as a stream. Entries are read one after another and never held whole, except buffers. When reading fails, the stream is
 * destroyed with the error, and a stream that nobody reads any more ends the reading.
 */
export function writeZip(entries: AsyncIterable<ZipContent>): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  const stop = (error: Error) => void out.destroy(error)
  zip.on('error', stop)
  zip.outputStream.on('error', stop).pipe(out)
  void addAll(zip, out, entries).catch(stop)
  return out
}

async function addAll(zip: ZipFile, out: PassThrough, entries: AsyncIterable<ZipContent>): Promise<void> {
  for await (const { path, content } of entries) {
    if (Buffer.isBuffer(content)) {
      zip.addBuffer(content, path, { mtime: MTIME })
      continue
    }
    const abort = () => void content.destroy()
    out.once('close', abort)
    if (out.destroyed) abort()
    zip.addReadStream(content, path, { mtime: MTIME })
    try {
      await finished(content, { writable: false })
    } finally {
      out.off('close', abort)
    }
  }
  zip.end()
}
