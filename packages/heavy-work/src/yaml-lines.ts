/** More lines than YAML of a few megabytes has; a bundle of 8 MB has 21 characters in each then. */
export const MAX_YAML_LINES = 400_000

/**
 * Whether a text has more lines than the YAML parser is given. It keeps a token for each: 8 MB of empty lines took 20 seconds and
 * 350 MB before they were given up.
 */
export function hasTooManyLines(text: string, most = MAX_YAML_LINES): boolean {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && lines <= most; at = text.indexOf('\n', at + 1)) lines += 1
  return lines > most
}
