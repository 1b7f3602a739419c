import { LONGEST_SLUG, slugOf, withoutOuterHyphens } from '@troupe/contract'
import type { CallFailure } from '../client/call-failure.ts'

const HINT_BYTES = 3

/**
 * Creates a resource with the slug of its name, or with `fallback` if no character of the name is usable in a slug. If
 * the slug is taken, a random hint is appended. Resolves with the result of `create`.
 */
export async function withFreeSlug<T>(
  { name, fallback }: { name: string; fallback: string },
  create: (slug: string, onFailure: (failure: CallFailure) => void) => Promise<T | null>,
): Promise<T | null> {
  const slug = slugOf(name) || fallback
  let isTaken = false
  const created = await create(slug, ({ code }) => {
    isTaken = code === 'slug_taken'
  })
  if (created !== null || !isTaken) return created
  const hint = randomHint()
  return create(
    `${withoutOuterHyphens(slug.slice(0, LONGEST_SLUG - hint.length - 1))}-${hint}`,
    () => undefined,
  )
}

/** `crypto.randomUUID` is missing over plain http. */
function randomHint(): string {
  return [...crypto.getRandomValues(new Uint8Array(HINT_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
