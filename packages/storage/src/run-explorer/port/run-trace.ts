import type { NewRunMessage, RunnableKind, RunStatus, StoredPrompts } from '@troupe/agents/ports'
import type {
  AgentId,
  ApprovalId,
  ApprovalStatus,
  Citation,
  GuardrailFlag,
  LlmConfigId,
  PromptId,
  ReviewActor,
  RunId,
  RunPlan,
  WorkflowVersionId,
} from '@troupe/contract'
import type { NewTest, StoredNodeRun, TestTerms, WorkflowRunSource } from '@troupe/workflows/ports'
import type { RunOverview } from './run-list.ts'

// Every timestamp in this file is in milliseconds since the epoch.

/** A row of the ledger: one attempt at one provider. */
export interface ObservedCall {
  purpose: string
  /** null: a call of the root run. */
  memberRunId: RunId | null
  agentId: AgentId | null
  agentName: string | null
  llmConfigId: LlmConfigId
  llmConfigName: string | null
  modelId: string
  attempt: number
  isFallback: boolean
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  outputTokens: number
  reasoningTokens: number
  /** Whether the provider reported all of them. */
  hasAllTokens: boolean
  costMicros: number | null
  latencyMs: number
  ttftMs: number | null
  ok: boolean
  errorCode: string | null
  /** The provider's own sentence, without secrets. It may repeat the prompt. */
  providerMessage: string | null
  /** An anomaly of an accepted answer. */
  note: string | null
  /** The prompt, for {@link Observation.prompts}; null if it is not kept. */
  promptId: PromptId | null
  /** When its row was written, for many calls the end of the run. */
  recordedAt: number
}

/** The run of a team's member. */
export interface ObservedMember {
  runId: RunId
  /** The step of the team's run: `member:m1:0`. */
  stepKey: string
  agentId: AgentId
  agentName: string | null
  versionNumber: number | null
  status: RunStatus
  success: boolean | null
  input: string | null
  content: string | null
  errorCode: string | null
  error: string | null
  inputTokens: number
  outputTokens: number
  createdAt: number
  completedAt: number | null
}

/** A tool call that waits, or waited, for a decision. */
export interface ObservedApproval {
  approvalId: ApprovalId
  /** The step in the run that opened it: `call:0.0:approval`, of a member `member:m1:0/call:0.0:approval`. */
  stepKey: string
  toolCallId: string
  toolName: string
  status: ApprovalStatus
  /** The person who decided; null while undecided. */
  resolvedBy: ReviewActor | null
  reason: string | null
  createdAt: number
  /** When it was decided, or found expired; null while it waits, or if its end was not recorded. */
  resolvedAt: number | null
}

/** The texts of a run that people may read: all, unless an agent of the run restricts them (`privacy`). */
export interface ReadableTexts {
  /** Messages, tasks, arguments of tools. */
  inputs: boolean
  /** Answers, results of tools. */
  outputs: boolean
}

/** The trace of a run of an agent or a team. */
export interface AgentRunTrace {
  /** null: erased or never stored. */
  input: string | null
  content: string | null
  error: string | null
  /** The agent that wrote `content`; null for a managed lead. */
  answeredBy: string | null
  failoverUsed: boolean
  /** Whether its texts are kept. */
  storesMessages: boolean
  readable: ReadableTexts
  flags: readonly GuardrailFlag[] | null
  citations: readonly Citation[] | null
  plan: RunPlan | null
  messages: readonly (NewRunMessage & { runId: RunId })[]
  members: readonly ObservedMember[]
  /** In the order of opening; at most 500. */
  approvals: readonly ObservedApproval[]
  /** In the order of their rows; at most 2,000. */
  calls: readonly ObservedCall[]
  /** false: in flight, or cancelled with its last texts and calls not stored yet. */
  isSettled: boolean
}

/** A node of a workflow run without its values. */
export interface ObservedNode extends Omit<StoredNodeRun, 'input' | 'output' | 'seeded'> {
  /** Set for a test: the origin of the node's result; absent if it was executed. */
  seed?: Pick<NewTest['seeds'][number], 'origin' | 'fromRunId'> | null
}

/** The same with its values. */
export type ObservedNodeValues = ObservedNode & Pick<StoredNodeRun, 'input' | 'output'>

/** The properties of a run that make it a test. */
export type TracedTest = TestTerms['scope'] & Pick<TestTerms, 'effects' | 'secretNames'>

/** The trace of a run of a workflow. */
export interface WorkflowRunTrace {
  versionId: WorkflowVersionId
  source: WorkflowRunSource
  input: unknown
  output: unknown
  error: string | null
  firedNodeId: string | null
  scheduledFor: number | null
  traceErased: boolean
  /** The first ones in the order of the run. */
  nodes: readonly ObservedNode[]
  nodeCount: number
  failedNodeCount: number
  /** null if the run is not a test. */
  test: TracedTest | null
}

/** The prompts of the models of a run, as far as they are kept. */
export interface ObservedPrompts {
  readable: ReadableTexts
  parts: readonly StoredPrompts[]
}

/** A run with its trace. */
export type TracedRun =
  | { kind: RunnableKind; run: RunOverview; agentRun: AgentRunTrace }
  | { kind: 'workflow'; run: RunOverview; workflowRun: WorkflowRunTrace }

/** The place of a node in the trace of its run. */
export interface TracePlace {
  seq: number
  path: string
  nodeId: string
}

/** The output of a node. */
export interface NodeOutput {
  nodeId: string
  /** null: not stored, or larger than 32 KB. */
  output: unknown
  /** Its size as JSON; null if not stored. */
  bytes: number | null
}

/** A page of nodes of one workflow run. */
export interface ObservedNodes {
  versionId: WorkflowVersionId
  input: unknown
  rows: readonly ObservedNode[]
  next: TracePlace | null
  /** null if the run is not a test. */
  test: TracedTest | null
}
