/** Maximum length of a compared name, and maximum number of compared names. */
const MAX_LENGTH = 64
const MAX_NAMES = 200

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The closest name within an edit distance of two and of half the letters; null when there is none. */
export function closest(written: string, names: readonly string[]): string | null {
  if (written.length > MAX_LENGTH) return null
  const lower = written.toLowerCase()
  const near = names
    .slice(0, MAX_NAMES)
    .filter((name) => Math.abs(name.length - written.length) <= 2)
    .map((name) => ({ name, away: distance(lower, name.toLowerCase()) }))
    .filter(({ name, away }) => away <= Math.min(2, Math.floor(name.length / 2)))
    .sort((a, b) => a.away - b.away)
  return near[0]?.name ?? null
}
