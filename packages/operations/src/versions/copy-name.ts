const MOST = 128
const SUFFIX = ' (copy)'

/** The name of a copy, within the limit of names. */
export function copyName(name: string): string {
  return `${name.slice(0, MOST - SUFFIX.length).toWellFormed()}${SUFFIX}`
}
