/** Maximum length of a slug. */
const LONGEST = 64

/**
 * Derives a slug from a name: unique among `taken`, to which it is added; `fallback` when no character is
 * usable.
 */
export function deriveSlug(name: string, taken: Set<string>, fallback: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  const base = trim(plain.slice(0, LONGEST)) || fallback
  let slug = base
  for (let n = 2; taken.has(slug); n += 1) slug = `${trim(base.slice(0, LONGEST - `-${n}`.length))}-${n}`
  taken.add(slug)
  return slug
}

function trim(text: string): string {
  return text.replaceAll(/^-+|-+$/g, '')
}
