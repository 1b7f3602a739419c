/**
 * Whether a text contains another one, in time linear in both (Knuth, Morris and Pratt). Both texts come from callers
 * and models, and the platform's own search can take time in the product of their lengths.
 */
export function containsText(text: string, wanted: string): boolean {
  if (wanted === '') return true
  if (wanted.length > text.length) return false
  /** For each index of `wanted`: the length of the longest prefix that also ends there. */
  const repeated = new Uint32Array(wanted.length)
  for (let at = 1, matched = 0; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = repeated[matched - 1] ?? 0
    if (wanted[at] === wanted[matched]) matched += 1
    repeated[at] = matched
  }
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== wanted[matched]) matched = repeated[matched - 1] ?? 0
    if (text[at] === wanted[matched]) matched += 1
    if (matched === wanted.length) return true
  }
  return false
}
