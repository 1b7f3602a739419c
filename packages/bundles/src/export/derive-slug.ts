import { LONGEST_SLUG, slugOf, withoutOuterHyphens } from '@troupe/contract'

/**
 * Derives a slug from a name: unique among `taken`, to which it is added; `fallback` if no character of the name is
 * usable.
 */
export function deriveSlug(name: string, taken: Set<string>, fallback: string): string {
  const base = slugOf(name) || fallback
  let slug = base
  for (let n = 2; taken.has(slug); n += 1) {
    slug = `${withoutOuterHyphens(base.slice(0, LONGEST_SLUG - `-${n}`.length))}-${n}`
  }
  taken.add(slug)
  return slug
}
