import type { AgentStatus } from '@troupe/contract'

/** Whether callers can run an agent. A draft runs like an active one; its users only show that it is a draft. */
export function isCallable(status: AgentStatus): boolean {
  return status !== 'archived'
}
