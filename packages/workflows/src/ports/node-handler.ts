import type { ModelPurpose, RequestedOutput } from '@troupe/agents/ports'
import type {
  AgentConfig,
  OrganizationId,
  ProjectId,
  RunId,
  WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import type { FlowNode, NodeResult, InterpolationScope as TokenScope } from '@troupe/graph'
import type { ReviewAnswer } from './review-store.ts'

/** What a node that talks to an agent or a team asks for. */
export interface ChildRunRequest {
  kind: 'agent' | 'team'
  /** Id of the agent or the team. */
  entityId: string
  message: string
  /** null: a fresh session for this activation. */
  sessionId: string | null
  userId: string | null
  /** `tool_context` of the run, within the contract's limits; empty for a team. */
  toolContext: Record<string, unknown>
  /** JSON that the answer must be, with one repair; null for text, and for a team. */
  output: RequestedOutput | null
  /** Distinguishes the tries of one activation; a try that lost its worker goes on under the same number. */
  retry: number
}

/** What became of a child run. `message` is safe for people. */
export type ChildRunOutcome =
  | { ok: true; content: string; success: boolean; runId: RunId; inputTokens: number; outputTokens: number }
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

/** What a model answered a node. */
export interface NodeModelAnswer {
  text: string
  inputTokens: number
  outputTokens: number
}

/** What nodes may use of the platform. Everything stops with the execution's signal, throwing its reason. */
export interface NodeServices {
  /** Runs an agent or a team by the same machinery as the API. Goes on where a lost worker stopped. */
  runChild(request: ChildRunRequest): Promise<ChildRunOutcome>
  /**
   * Calls a chain with failover.
   *
   * @throws NodeFailure with a safe sentence when no model answered.
   */
  callModel(request: NodeModelRequest): Promise<NodeModelAnswer>
}

/** What the trace tells of a node, whatever became of it. */
export interface NodeTrace {
  /** What the node was given, resolved; null when there is nothing to tell. */
  input: unknown
  agentRunId: RunId | null
  inputTokens: number
  outputTokens: number
}

/**
 * A node that failed for a reason that its caller may read. An effect that throws it may be tried again; a failure that
 * would only repeat itself is a `failed` result instead.
 */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  /** What was used and known until then. */
  readonly trace: Partial<NodeTrace>

  constructor(message: string, trace: Partial<NodeTrace> = {}) {
    super(message)
    this.trace = trace
  }
}

/** Everything that executing a node sees. */
export interface NodeExecution {
  node: FlowNode
  /** Empty for the root, else the iteration: `loop1[3]`. */
  path: string
  /** The iteration whose condition a Loop asks about; null for an ordinary start. */
  iteration: number | null
  /** What the tokens of the config mean here. */
  scope: TokenScope
  run: {
    runId: WorkflowRunId
    organizationId: OrganizationId
    projectId: ProjectId | null
    workflowId: WorkflowId
  }
  /** Aborted when the run ends, fails elsewhere, or the node's own time is over. */
  signal: AbortSignal
  services: NodeServices
}

/** What a node gave, with what the trace tells of it. */
export interface ExecutedNode extends NodeTrace {
  result: NodeResult
}

/** Timing of an effect, from its config. */
export interface NodeTiming {
  timeoutSeconds: number
  retries: number
  retryDelaySeconds: number
}

/** The server's half of a node type. A pure one answers at once, uses no service and may throw NodeFailure. */
export type NodeHandler =
  | { kind: 'pure'; execute(execution: NodeExecution): ExecutedNode }
  | {
      kind: 'effect'
      timing(config: Record<string, unknown>): NodeTiming
      /** Throws NodeFailure, or the signal's reason. Whatever else it throws is a defect. */
      execute(execution: NodeExecution & { retry: number }): Promise<ExecutedNode>
      /** What the answer of people makes of a node that waits; only for types that wait. */
      answered?(node: FlowNode, answer: ReviewAnswer): NodeResult
    }

/** The handlers by node type. */
export type NodeHandlers = ReadonlyMap<string, NodeHandler>
