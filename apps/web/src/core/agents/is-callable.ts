import type { AgentStatus } from '@troupe/contract'

/** Whether callers run an agent. A draft answers them as an active one does; what uses it only says that it is a draft. */
export function isCallable(status: AgentStatus): boolean {
  return status !== 'archived'
}
