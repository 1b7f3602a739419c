const LONGEST_PATH = 255
/** System files in archives of some operating systems. */
const CLUTTER = /(?:^|\/)(?:__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)(?:\/|$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the refused characters
const UNUSUAL = /[\\:\u0000-\u001f\u007f]/

/** Why a path is not valid below the skill's folder; null if it is. */
export function pathProblem(path: string): string | null {
  if (path.length > LONGEST_PATH) return `has a path of more than ${LONGEST_PATH} characters`
  if (UNUSUAL.test(path)) return 'has a path with a backslash, a colon or a control character'
  const isInside = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  return isInside ? null : 'is not a path inside the folder of the skill'
}

export const isClutter = (path: string) => CLUTTER.test(path)

/** The common top folder of all files; null if some are outside it. */
export function topFolder(paths: readonly string[]): string | null {
  const [first = ''] = paths
  const end = first.indexOf('/')
  if (end <= 0) return null
  const folder = first.slice(0, end + 1)
  return paths.every((path) => path.startsWith(folder)) ? folder.slice(0, -1) : null
}
