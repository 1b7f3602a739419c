const LONGEST_PATH = 255
/** What archives of some systems hold beside the files of the user. */
const CLUTTER = /(?:^|\/)(?:__MACOSX|\.DS_Store|Thumbs\.db|desktop\.ini)(?:\/|$)/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
const UNUSUAL = /[\\:\u0000-\u001f\u007f]/

/** Why a path cannot be one of a file below the skill's folder; null when it can. */
export function pathProblem(path: string): string | null {
  if (path.length > LONGEST_PATH) return `has a path of more than ${LONGEST_PATH} characters`
  if (UNUSUAL.test(path)) return 'has a path with a backslash, a colon or a control character'
  const isInside = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  return isInside ? null : 'is not a path inside the folder of the skill'
}

export const isClutter = (path: string) => CLUTTER.test(path)

/** The folder that all files are in; null when some are beside it. */
export function topFolder(paths: readonly string[]): string | null {
  const [first = ''] = paths
  const end = first.indexOf('/')
  if (end <= 0) return null
  const folder = first.slice(0, end + 1)
  return paths.every((path) => path.startsWith(folder)) ? folder.slice(0, -1) : null
}
