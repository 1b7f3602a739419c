import { DRAFTS, deleteValue, keysBelow } from '../storage/browser-database.ts'
import { clearTails } from '../storage/page-tail.ts'
import { NO_ORGANIZATION } from './use-draft.ts'

/** How many edits of a person this browser keeps that were never sent, in the organizations where the person can send them. */
export async function countUnsentDrafts(userId: string, organizationIds: readonly string[]): Promise<number> {
  const places = await placesOf(userId)
  return places.filter(({ organizationId }) => isReachable(organizationId, organizationIds)).length
}

/** Deletes the edits of a person that nobody can reach: of organizations that the person has left, and of former versions. */
export async function sweepUnsentDrafts(userId: string, organizationIds: readonly string[]): Promise<void> {
  for (const { key, organizationId } of await placesOf(userId)) {
    if (isReachable(organizationId, organizationIds)) continue
    clearTails(key)
    await deleteValue(key).catch(() => undefined)
  }
}

const isReachable = (organizationId: string, organizationIds: readonly string[]) =>
  organizationId === NO_ORGANIZATION || organizationIds.includes(organizationId)

async function placesOf(userId: string): Promise<{ key: string; organizationId: string }[]> {
  const keys = await keysBelow(`${DRAFTS}${userId}/`).catch(() => [])
  return keys.map((key) => ({ key, organizationId: key.split('/')[2] ?? '' }))
}
