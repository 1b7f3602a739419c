import { checkedId, EditorTabId, type IdText, parseId, WorkflowId } from '@troupe/contract'
import type { PresentTab, SharePresenceBody } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { workflowNotFound } from '../workflows/workflow-errors.ts'

/** Dependencies of {@link sharePresence}. */
export interface SharePresenceParts {
  database: Pick<Database, 'presence'>
}

/**
 * Records that a tab shows a workflow, and lists all tabs that do. Never reads the draft, because every open tab calls
 * it every 15 seconds. For the operator, who is not a person, it only reads the list.
 *
 * @throws DomainError `workflow_not_found`
 */
export async function sharePresence(
  { database: { presence } }: SharePresenceParts,
  { organizationId, userId }: BuilderCaller,
  workflow: IdText<WorkflowId>,
  { tabId: tab, nodeId = null, isLeaving = false }: SharePresenceBody,
): Promise<{ data: PresentTab[] }> {
  const workflowId = parseId(WorkflowId, workflow)
  if (workflowId === null) throw workflowNotFound()
  if (userId !== null) {
    const place = { organizationId, workflowId, tabId: checkedId(EditorTabId, tab), userId }
    await (isLeaving ? presence.leave(place) : presence.enter({ ...place, nodeId }))
  }
  const data = await presence.list(organizationId, workflowId)
  if (data === null) throw workflowNotFound()
  return { data }
}
