import { DRAFTS, keysBelow } from '../storage/browser-database.ts'
import { NO_ORGANIZATION } from './use-draft.ts'

/**
 * How many edits of a person this browser keeps that were never sent, in the organizations where the person can send them.
 * Those of other organizations stay until the sign-out: a person who is suspended today may be back tomorrow.
 */
export async function countUnsentDrafts(userId: string, organizationIds: readonly string[]): Promise<number> {
  const keys = await keysBelow(`${DRAFTS}${userId}/`).catch(() => [])
  return keys.filter((key) => {
    const organizationId = key.split('/')[2] ?? ''
    return organizationId === NO_ORGANIZATION || organizationIds.includes(organizationId)
  }).length
}
