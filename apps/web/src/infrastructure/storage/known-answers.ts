import type { IdText, OrganizationId, UserId } from '@troupe/contract'
import { deleteValue, keysBelow, readValue, writeValue } from './browser-database.ts'

/** A response of an earlier visit. */
export interface KnownAnswer {
  data: unknown
  /** When it was received, in milliseconds since the epoch. */
  at: number
}

/** The user of the response, and its query. */
export interface KnownPlace {
  userId: IdText<UserId>
  organizationId: IdText<OrganizationId>
  /** The name of the operation and its input, as text. */
  question: string
}

const PREFIX = 'known/'
const LONGEST_MS = 24 * 60 * 60 * 1_000

function keyOf({ userId, organizationId, question }: KnownPlace): string {
  return `${PREFIX}${userId}/${organizationId}/${question}`
}

interface Build {
  /** The pages that kept the response: other pages may read other properties. */
  build: string
}

/** The URL of the entry has a hash over the code of every page. */
function buildOfPage(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? ''
}

function isFresh(value: unknown): value is KnownAnswer {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('data' in value)) return false
  const ageMs = typeof value.at === 'number' ? Date.now() - value.at : -1
  return ageMs >= 0 && ageMs <= LONGEST_MS && 'build' in value && value.build === buildOfPage()
}

/** The response of at most 24 hours ago; null: none, or the storage is forbidden. */
export async function readKnown(place: KnownPlace): Promise<KnownAnswer | null> {
  const value = await readValue(keyOf(place)).catch(() => null)
  return isFresh(value) ? value : null
}

/** Stores a response for the next visit. A full or forbidden storage stores none. */
export async function keepKnown(place: KnownPlace, data: unknown): Promise<void> {
  await writeValue(keyOf(place), { data, at: Date.now(), build: buildOfPage() } satisfies KnownAnswer &
    Build).catch(() => undefined)
}

/**
 * Deletes the responses of other users, of organizations that the user has left, and outdated ones.
 *
 * @param userId the signed-in user; null: nobody, so every response is deleted
 */
export async function sweepKnown(
  userId: IdText<UserId> | null,
  organizationIds: readonly IdText<OrganizationId>[],
): Promise<void> {
  const keys = await keysBelow(PREFIX).catch(() => [])
  for (const key of keys) {
    const [, owner = '', organizationId = ''] = key.split('/')
    const isOwn = owner === userId && organizationIds.includes(organizationId)
    const isKept = isOwn && isFresh(await readValue(key).catch(() => null))
    if (!isKept) await deleteValue(key).catch(() => undefined)
  }
}
