import type { Scope } from '@troupe/agents/ports'
import type { AgentId, TeamId, WorkflowId, WorkflowVersionId } from '@troupe/contract'

/** The public properties of a runnable resource. */
interface Runnable {
  name: string
  description: string | null
  createdAt: Date
}

export type ChatRunnable = Runnable & ({ kind: 'agent'; id: AgentId } | { kind: 'team'; id: TeamId })

/** The active version of a published workflow. */
export type WorkflowRunnable = Runnable & { kind: 'workflow'; id: WorkflowId; versionId: WorkflowVersionId }

/** The agents, teams and workflows that the scope may run, newest first within each kind, at most 1,000 of each kind. Archived agents are omitted. */
export interface RunnableReader {
  /** Agents and teams; with a name only exact matches. */
  chats(scope: Scope, name: string | null): Promise<ChatRunnable[]>
  /** Agents, teams and published workflows whose configuration exposes them over MCP. */
  exposed(scope: Scope): Promise<(ChatRunnable | WorkflowRunnable)[]>
}
