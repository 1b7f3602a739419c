import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** Resolves the files that a bundle names: the path on this machine, or a message for the field. */
export type BundleFolder = (path: string) => Promise<{ path: string } | { problem: string }>

/** The message for a file of a bundle without its folder. */
export const NO_FOLDER =
  'needs the file beside the bundle: send both in a zip archive, or use `troupe apply` or TROUPE_BUNDLE'

/**
 * The folder that a bundle was read from. Only regular files inside it can be named; links are followed first.
 *
 * @param directory path of the folder
 */
export function bundleFolder(directory: string): BundleFolder {
  return async (path) => {
    const outside = { problem: "must be a file inside the bundle's folder" }
    if (isAbsolute(path) || !isInside(resolve(directory), resolve(directory, path))) return outside
    try {
      const [folder, file] = await Promise.all([realpath(directory), realpath(resolve(directory, path))])
      return isInside(folder, file) && (await stat(file)).isFile() ? { path: file } : outside
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      return { problem: `cannot be read (${code})` }
    }
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
