/** More lines than YAML of a few megabytes has; a bundle of 8 MB with that many has 21 characters in each. */
export const MAX_YAML_LINES = 400_000

/**
 * Whether a text has too many lines for the YAML parser. It keeps a token for each: 8 MB of empty lines took 20 seconds and 350 MB before
 * they were refused.
 */
export function hasTooManyLines(text: string, most = MAX_YAML_LINES): boolean {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && lines <= most; at = text.indexOf('\n', at + 1)) lines += 1
  return lines > most
}
