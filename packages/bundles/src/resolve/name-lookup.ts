import type { Item } from '../read/bundle-items.ts'
import type { Step } from './step.ts'

/** Finds a row by slug or id: undefined if there is none, null if the bundle contains it but it is invalid. */
export type NameLookup<T> = (reference: string) => T | null | undefined

/** Searches the plan first, then stored rows that the bundle does not describe. */
export function nameLookup<T extends { id: string; slug: string | null }>(
  declared: readonly Item<{ slug: string; id?: string }>[],
  brokenSlugs: ReadonlySet<unknown>,
  steps: readonly Step<T>[],
  stored: readonly T[],
): NameLookup<T> {
  const names = new Set(declared.flatMap(({ value }) => (value.id ? [value.slug, value.id] : [value.slug])))
  const planned = new Set(steps.map(({ after }) => after.id))
  const rows = [...stored.filter(({ id }) => !planned.has(id)), ...steps.map(({ after }) => after)]
  const bySlug = new Map<string | null, T>(rows.map((row) => [row.slug, row]))
  const byId = new Map<string, T>(rows.map((row) => [row.id, row]))
  return (reference) => {
    const id = reference.toLowerCase()
    const found = bySlug.get(reference) ?? byId.get(id)
    if (found) return found
    return names.has(reference) || names.has(id) || brokenSlugs.has(reference) ? null : undefined
  }
}
