import type { IdText, OrganizationId, UserId } from '@troupe/contract'
import { DRAFTS, keysBelow } from '../storage/browser-database.ts'
import { NO_ORGANIZATION, readKeptDraft } from './use-draft.ts'

const SYNCED = 'synced/'

/** The key of the copy of an edit on which this browser and the server have agreed. */
export const syncedKey = (key: string): string => SYNCED + key

/**
 * The number of a user's unsent edits in this browser, in the organizations where the user can send them. Those of other
 * organizations stay until the sign-out: a suspended user may be back tomorrow. Edits that the server has are not counted.
 */
export async function countUnsentDrafts(
  userId: IdText<UserId>,
  organizationIds: readonly IdText<OrganizationId>[],
): Promise<number> {
  const places = await keysBelow(`${DRAFTS}${userId}/`).catch(() => [])
  const sendable = places.filter((place) => {
    const [, , organizationId = '', kind] = place.split('/')
    return (
      `${kind}/` !== SYNCED &&
      (organizationId === NO_ORGANIZATION || organizationIds.includes(organizationId))
    )
  })
  const isSent = await Promise.all(sendable.map((place) => isOnServer(place, places)))
  return isSent.filter((sent) => !sent).length
}

async function isOnServer(place: string, places: readonly string[]): Promise<boolean> {
  const [drafts, userId, organizationId, ...key] = place.split('/')
  const agreedPlace = [drafts, userId, organizationId, syncedKey(key.join('/'))].join('/')
  if (!places.includes(agreedPlace)) return false
  const [edit, agreed] = await Promise.all([readKeptDraft(place), readKeptDraft(agreedPlace)])
  if (edit === null || agreed === null) return false
  const stored: unknown = Reflect.get(Object(agreed.value), 'edit')
  // Another order of keys only counts an edit too many.
  return JSON.stringify(stored) === JSON.stringify({ edit: edit.value, base: edit.base })
}
