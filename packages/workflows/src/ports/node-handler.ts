import type { RequestedOutput } from '@troupe/agents/ports'
import type {
  AgentConfig,
  AgentId,
  ModelPurpose,
  OrganizationId,
  ProjectId,
  RunId,
  TeamId,
  WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import type { FlowNode, NodeResult, InterpolationScope as TokenScope } from '@troupe/graph'
import type { ReviewAnswer } from './review-store.ts'

/** The request of a node to an agent or a team. */
export interface ChildRunRequest {
  kind: 'agent' | 'team'
  /** Id of the agent or the team. */
  entityId: AgentId | TeamId
  message: string
  /** null: a new session for this activation. */
  sessionId: string | null
  userId: string | null
  /** `tool_context` of the run, within the contract's limits; empty for a team. */
  toolContext: Record<string, unknown>
  /** Required JSON form of the answer, with one repair; null for text, and for a team. */
  output: RequestedOutput | null
  /**
   * Distinguishes the attempts of one activation; an attempt that lost its worker continues under the same
   * number.
   */
  retry: number
}

/** The outcome of a child run. `message` is safe to show publicly. */
export type ChildRunOutcome =
  | {
      ok: true
      content: string
      success: boolean
      runId: RunId
      inputTokens: number
      outputTokens: number
      /** For the trace of the node; absent or null: none. */
      note?: string | null
    }
  | { ok: false; message: string; runId: RunId | null; inputTokens: number; outputTokens: number }

/** One call of a model by a node. */
export interface NodeModelRequest {
  model: AgentConfig['model']
  system: string
  prompt: string
  purpose: Extract<ModelPurpose, 'prompt' | 'classify'>
  /** JSON Schema that the answer must follow; null for text. */
  schema: { name: string; schema: Record<string, unknown> } | null
}

/** A model's answer to a node. */
export interface NodeModelAnswer {
  text: string
  inputTokens: number
  outputTokens: number
}

/** The platform services of nodes. Each call stops with the execution's signal and throws its reason. */
export interface NodeServices {
  /**
   * Runs an agent or a team as the API would. Resumes where a lost worker stopped.
   *
   * @throws NodeWaits if the run waits for approvals and does no other work
   */
  runChild(request: ChildRunRequest): Promise<ChildRunOutcome>
  /**
   * Calls a chain with failover.
   *
   * @throws NodeFailure with a safe sentence when no model answered.
   */
  callModel(request: NodeModelRequest): Promise<NodeModelAnswer>
}

/** The trace of a node, whatever its outcome. */
export interface NodeTrace {
  /** The node's resolved input; null if there is none to show. */
  input: unknown
  agentRunId: RunId | null
  inputTokens: number
  outputTokens: number
  /** A remark for users on a node that completed; absent or null: none. */
  note?: string | null
}

/**
 * A node that failed for a reason that its caller may read. An effect that throws it may be retried; a
 * failure that a retry would only repeat is a `failed` result instead.
 */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  /** Usage and trace up to the failure. */
  readonly trace: Partial<NodeTrace>

  constructor(message: string, trace: Partial<NodeTrace> = {}) {
    super(message)
    this.trace = trace
  }
}

/** The run started by a node waits for people; the node continues once they have decided. */
export class NodeWaits extends Error {
  override readonly name = 'NodeWaits'
  readonly agentRunId: RunId

  constructor(agentRunId: RunId) {
    super('the run of a node waits for approvals')
    this.agentRunId = agentRunId
  }
}

/** Everything that executing a node has access to. */
export interface NodeExecution {
  node: FlowNode
  /** Empty for the root, otherwise the iteration: `loop1[3]`. */
  path: string
  /** The iteration whose condition a Loop requests; null for an ordinary start. */
  iteration: number | null
  /** The values of the config's tokens at this node. */
  scope: TokenScope
  run: {
    runId: WorkflowRunId
    organizationId: OrganizationId
    projectId: ProjectId | null
    workflowId: WorkflowId
  }
  /** Aborted when the run ends or fails elsewhere, or when the node's own time limit expires. */
  signal: AbortSignal
  services: NodeServices
}

/** Everything that executing an effect has access to. */
export interface EffectExecution extends NodeExecution {
  /** Failed attempts so far. */
  retry: number
  /** Records the node's input, which the trace shows even if the attempt fails or times out. */
  given(input: unknown): void
}

/** A node's result, with its trace. */
export interface ExecutedNode extends NodeTrace {
  result: NodeResult
}

/** Timing of an effect, from its config. */
export interface NodeTiming {
  timeoutSeconds: number
  retries: number
  retryDelaySeconds: number
}

/**
 * The server-side half of a node type. A pure one returns synchronously, uses no service and may throw
 * NodeFailure.
 */
export type NodeHandler =
  | { kind: 'pure'; execute(execution: NodeExecution): ExecutedNode }
  | {
      kind: 'effect'
      timing(config: Record<string, unknown>): NodeTiming
      /** Throws NodeFailure, NodeWaits, or the signal's reason. Any other error is a defect. */
      execute(execution: EffectExecution): Promise<ExecutedNode>
      /** The result that a reviewer's decision gives a waiting node; only for types that wait. */
      answered?(node: FlowNode, answer: ReviewAnswer): NodeResult
    }

/** The handlers by node type. */
export type NodeHandlers = ReadonlyMap<string, NodeHandler>
