import { readFile } from 'node:fs/promises'

/**
 * The text of a bundle.
 *
 * @throws Error with the `code` of the file system, or `not UTF-8`
 */
export async function readBundleFile(path: string): Promise<string> {
  const bytes = await readFile(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw Object.assign(new Error('The file is not UTF-8.'), { code: 'not UTF-8' })
  }
}
