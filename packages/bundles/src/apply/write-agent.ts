import type { Actor, AgentRecord, Transaction } from '@troupe/storage'
import { agentDiffers, type WrittenAgent } from '../plan/plan-agents.ts'
import type { Step } from '../resolve/step.ts'

/**
 * Writes an agent and its next version. The row is locked and compared again, because an API call may have changed it
 * since the plan, and `before` must be the replaced row. Null if there is nothing left to write.
 */
export async function writeAgent(
  { write }: Transaction,
  { before, after, changed }: Step<WrittenAgent>,
  actor: Actor,
): Promise<Step<AgentRecord> | null> {
  if (!changed) return null
  if (before === null) {
    return { before: null, after: await write.agents.insert(after, actor), changed: true }
  }
  const current = await write.agents.lock(after.organizationId, after.id)
  if (current && !agentDiffers(current, after)) return null
  return { before: current, after: await write.agents.update(after, actor), changed: true }
}
