import { DRAFTS, keysBelow } from '../storage/browser-database.ts'
import { NO_ORGANIZATION } from './use-draft.ts'

/**
 * The number of a user's unsent edits in this browser, in the organizations where the user can send them. Those of other
 * organizations stay until the sign-out: a suspended user may be back tomorrow.
 */
export async function countUnsentDrafts(userId: string, organizationIds: readonly string[]): Promise<number> {
  const keys = await keysBelow(`${DRAFTS}${userId}/`).catch(() => [])
  return keys.filter((key) => {
    const organizationId = key.split('/')[2] ?? ''
    return organizationId === NO_ORGANIZATION || organizationIds.includes(organizationId)
  }).length
}
