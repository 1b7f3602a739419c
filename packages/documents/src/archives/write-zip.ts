import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A file of an archive to write. */
export interface ZipContent {
  /** Relative, with slashes. */
  path: string
  content: Buffer | Readable
}

/** All entries have this time, so that equal contents make equal archives. */
const MTIME = new Date(Date.UTC(2000, 0, 1))

/**
 * A zip archive as a stream. Entries are opened and read one after another, as fast as the archive is read. When reading fails, the
 * archive is destroyed with the error; when the archive is destroyed, reading ends.
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
    // A buffer given to the library is compressed at once, however slowly the archive is read.
    const stream = Buffer.isBuffer(content) ? Readable.from([content]) : content
    const abort = () => void stream.destroy()
    out.once('close', abort)
    if (out.destroyed) abort()
    zip.addReadStream(stream, path, { mtime: MTIME })
    try {
      await finished(stream, { writable: false })
    } finally {
      out.off('close', abort)
    }
  }
  zip.end()
}
