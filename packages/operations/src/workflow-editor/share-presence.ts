import { isUuid } from '@troupe/contract'
import type { PresentTab, SharePresenceBody } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { workflowNotFound } from '../workflows/workflow-errors.ts'

/** Dependencies of {@link sharePresence}. */
export interface SharePresenceParts {
  database: Pick<Database, 'presence'>
}

/**
 * Notes that a tab shows a workflow, and lists all that do. It never reads the draft, because every open tab calls it each 15 seconds. The
 * operator is no person, so it only reads the list.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function sharePresence(
  { database: { presence } }: SharePresenceParts,
  { organizationId, userId }: BuilderCaller,
  workflowId: string,
  { tabId, nodeId = null, isLeaving = false }: SharePresenceBody,
): Promise<{ data: PresentTab[] }> {
  if (!isUuid(workflowId)) throw workflowNotFound()
  if (userId !== null) {
    const tab = { organizationId, workflowId, tabId, userId }
    await (isLeaving ? presence.leave(tab) : presence.enter({ ...tab, nodeId }))
  }
  const data = await presence.list(organizationId, workflowId)
  if (data === null) throw workflowNotFound()
  return { data }
}
