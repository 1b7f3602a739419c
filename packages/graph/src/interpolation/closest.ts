/** Maximum length of a compared name, and maximum number of compared names. */
const MAX_LENGTH = 64
const MAX_NAMES = 200

/** The maximum distance of a match; also represents any larger distance. */
const NEAR = 2
const FAR = NEAR + 1

/** Levenshtein distance up to `NEAR`. Its path stays near the diagonal, so the other cells are omitted. */
function distance(a: string, b: string): number {
  let row = Uint8Array.from({ length: b.length + 1 }, (_, column) => Math.min(column, FAR))
  let next = new Uint8Array(b.length + 1).fill(FAR)
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - NEAR)
    const to = Math.min(b.length, i + NEAR)
    next[from - 1] = from === 1 ? Math.min(i, FAR) : FAR
    let nearest = next[from - 1] ?? FAR
    for (let j = from; j <= to; j++) {
      const replace = (row[j - 1] ?? FAR) + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      const cell = Math.min(replace, (row[j] ?? FAR) + 1, (next[j - 1] ?? FAR) + 1, FAR)
      next[j] = cell
      if (cell < nearest) nearest = cell
    }
    if (nearest === FAR) return FAR
    const spare = row
    row = next
    next = spare
  }
  return row[b.length] ?? FAR
}

/** The maximum cost of `closest`, in characters of names. */
export function likenessSteps(written: string, names: readonly string[]): number {
  return written.length > MAX_LENGTH ? 0 : written.length * Math.min(names.length, MAX_NAMES)
}

/** The closest name within an edit distance of two and of half the letters; null if there is none. */
export function closest(written: string, names: readonly string[]): string | null {
  if (written.length > MAX_LENGTH) return null
  const lower = written.toLowerCase()
  const near = names
    .slice(0, MAX_NAMES)
    .filter((name) => Math.abs(name.length - written.length) <= NEAR)
    .map((name) => ({ name, away: distance(lower, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= Math.min(NEAR, Math.floor(name.length / 2)))
    .sort((a, b) => a.away - b.away)
  return near[0]?.name ?? null
}
