import { fromBufferPromise } from 'yauzl'
import { eachFile, type ZipLimits } from './zip-files.ts'

/** A file of an archive; its path is relative and has no `..`. */
export interface ZippedFile {
  path: string
  bytes: Buffer
}

/**
 * The files of a zip archive, without its folders.
 *
 * @throws BadArchive for any archive that is broken, encrypted or above the limits, or that has a path outside it or twice
 */
export async function readZip(bytes: Buffer, limits: ZipLimits): Promise<ZippedFile[]> {
  const files: ZippedFile[] = []
  const tooMuch = `The files of the archive have more than ${limits.inflatedBytes / 1024 / 1024} MB.`
  const zip = fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  await eachFile(zip, { ...limits, tooMuch }, async (path, content) => {
    const chunks: Buffer[] = []
    for await (const chunk of content) chunks.push(chunk)
    files.push({ path, bytes: Buffer.concat(chunks) })
  })
  return files
}
