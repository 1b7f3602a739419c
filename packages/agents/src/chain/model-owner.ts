import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { ModelOwner } from './resolve-chain.ts'

/** The facts that determine which models an agent may call. */
export function modelOwner({ projectId, config }: AgentSnapshot): ModelOwner {
  return { projectId, model: config.model }
}
