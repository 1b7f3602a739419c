import { mkdtemp, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { extractZip } from '@troupe/documents'
import { type BundleFolder, bundleFolder } from '../read/bundle-folder.ts'
import { ARCHIVE_LIMITS } from './archive-limits.ts'

/** A bundle with the files beside it. Disposing deletes extracted files. */
export interface BundleFile extends AsyncDisposable {
  /** YAML or JSON. */
  text: string
  folder: BundleFolder
}

/** There is no bundle at a path. The reason is formulated as the end of a sentence: "(ENOENT)". */
export class NoBundleError extends Error {
  override readonly name = 'NoBundleError'
}

/** The possible names of the bundle in a folder, in order of precedence. */
const NAMES = ['bundle.yaml', 'bundle.yml', 'bundle.json']
/** The first bytes of archives: an entry, or the end of an empty one. */
const ARCHIVES = ['PK\x03\x04', 'PK\x05\x06']

/**
 * Opens a bundle: a file in YAML or JSON, whose folder has the files that it names, a folder with a `bundle.yaml`, or a zip archive of
 * such a folder.
 *
 * @throws NoBundleError; BadArchive; an error of the file system with its `code`
 */
export async function openBundleFile(path: string): Promise<BundleFile> {
  const found = await stat(path)
  if (found.isDirectory()) return opened(await bundleIn(path), async () => undefined)
  if (!(await isArchive(path))) return opened(path, async () => undefined)
  const directory = await mkdtemp(join(tmpdir(), 'troupe-bundle-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    return await opened(await extractBundle(path, directory), remove)
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * Extracts an archive into an empty folder.
 *
 * @param signal aborts it; its reason is thrown
 * @returns the path of its bundle
 * @throws NoBundleError, BadArchive
 */
export async function extractBundle(
  archive: string,
  directory: string,
  signal?: AbortSignal,
): Promise<string> {
  await extractZip(archive, directory, ARCHIVE_LIMITS, signal)
  return await bundleIn(directory)
}

/** The text and the files of a bundle on this machine. @throws NoBundleError; an error of the file system */
export async function readBundleAt(
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Pick<BundleFile, 'text' | 'folder'>> {
  const { size } = await stat(path)
  if (size > maxBytes) throw new NoBundleError(`${basename(path)} has more than ${maxBytes / 1024 / 1024} MB`)
  const bytes = await readFile(path)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, folder: bundleFolder(dirname(resolve(path))) }
  } catch {
    throw new NoBundleError('not UTF-8')
  }
}

async function opened(path: string, remove: () => Promise<void>): Promise<BundleFile> {
  return { ...(await readBundleAt(path)), [Symbol.asyncDispose]: remove }
}

/** The bundle in a folder, or in its only subfolder: archive programs often include the folder itself. */
async function bundleIn(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true })
  const name = NAMES.find((one) => entries.some((entry) => entry.isFile() && entry.name === one))
  if (name !== undefined) return join(directory, name)
  // Finder adds a folder with file attributes.
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== '__MACOSX')
  const [only] = folders
  if (
    only &&
    folders.length === 1 &&
    !entries.some((entry) => entry.isFile() && !entry.name.startsWith('.'))
  ) {
    return await bundleIn(join(directory, only.name))
  }
  throw new NoBundleError(`no ${NAMES[0]} in it`)
}

async function isArchive(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
  return ARCHIVES.includes(buffer.subarray(0, bytesRead).toString('latin1'))
}
