import type { AgentId, OrganizationId, RunId } from '@troupe/contract'
import type { AgentSnapshot } from './agent-catalog.ts'
import type { Tool, ToolCall, ToolOutcome } from './tool.ts'
import type { MemoryOfUser } from './user-memories.ts'

/**
 * Runs another agent as a child of the run: a resumed job continues it. `limitMs` shortens its own time limit; null does
 * not. Rejects with the signal's reason, or SliceEnded.
 */
export type RunAgent = (
  agentId: AgentId,
  message: string,
  call: ToolCall,
  limitMs: number | null,
) => Promise<ToolOutcome>

/** The run that an agent's tools act for. */
export interface ToolRun {
  organizationId: OrganizationId
  /** The root run: calls and their idempotency keys are unique within it. */
  runId: RunId
  sessionId: string
  /** The public `user_id` of the session's owner. */
  userId: string
  /** `tool_context`: never shown to models, streams or logs. Empty for a team. */
  toolContext: Readonly<Record<string, unknown>>
  /** null if the agent may not run others. */
  runAgent: RunAgent | null
  /** Memories about the user; null if the request named none. */
  memory: MemoryOfUser | null
  /** Aborts what a tool opens before its first call. */
  signal: AbortSignal
}

/** A tool that an agent does not get, with one sentence about the reason. */
export interface LeftOutTool {
  name: string
  reason: string
}

/** The tools of one agent in one run. Disposing closes their connections. */
export interface Toolbox extends AsyncDisposable {
  tools: readonly Tool[]
  /** Tools that cannot be offered, unlike the others. Absent: none. */
  leftOut?: readonly LeftOutTool[]
}

/** A run cannot start because required tools are unavailable; callers may read the message. */
export class ToolsUnavailable extends Error {
  override readonly name = 'ToolsUnavailable'
}

/** Port: builds the tools of an agent's configuration. */
export interface Toolboxes {
  /** Rejects only with the reason of `run.signal` or ToolsUnavailable: any other broken tool is offered, and reports its failure when called. */
  open(agent: AgentSnapshot, run: ToolRun): Promise<Toolbox>
}
