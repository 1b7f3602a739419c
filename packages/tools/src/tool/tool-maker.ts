import type { AgentSnapshot, StandIn, ToolCall, ToolOutcome, ToolRun } from '@troupe/agents/ports'
import type { ToolConfig, ToolType } from '@troupe/contract'
import type { ContextValues } from '../context/context-values.ts'

/** The configuration of one type of tool. */
export type ConfigOf<T extends ToolType> = Extract<ToolConfig, { type: T }>

/** The agent that has the tool, and its run. */
export interface ToolUse {
  agent: AgentSnapshot
  run: ToolRun
  /** Closed when the run's toolbox is. */
  resources: AsyncDisposableStack
  /** Reports that one tool cannot be offered, with an error message about the reason; the others are still offered. */
  leaveOut(name: string, reason: string): void
}

/** One tool as its type defines it, before the common options of its configuration apply. */
export interface ToolBody {
  /** Overrides the configured name; for a configuration that yields several tools. */
  name?: string
  /** Shown to the model unless the configuration has a description. */
  description: string
  /** JSON Schema of the arguments, an object. */
  inputSchema: Record<string, unknown>
  /** Default of the configuration; `always`: it recognises a repeated call by its key. */
  idempotent: boolean | 'always'
  /**
   * Whether a call may have effects although the tool recognises repeated calls; absent: the opposite of `idempotent`.
   */
  acts?: boolean
  /** Whether it keeps its own steps in the run's journal. */
  rebuildsState?: boolean
  /** Set on a body that replaces tools that cannot be built. */
  standIn?: StandIn
  /** Overrides the configured time limit; null: the body limits its own time. */
  timeoutMs?: number | null
  /**
   * Called with valid arguments, bound context values included, and the values of the configured `context_keys`. Must not
   * throw, except for the reason of the call's signal.
   */
  execute(input: Record<string, unknown>, call: ToolCall, context: ContextValues): Promise<ToolOutcome>
}

/** Builds the tools of one configuration from the dependencies of its type. Rejects only as {@link Toolboxes} may. */
export type ToolMaker<T extends ToolType, P = object> = (
  config: ConfigOf<T>,
  use: ToolUse,
  parts: P,
) => Promise<readonly ToolBody[]> | readonly ToolBody[]
