import type { NewRunMessage, RunKind, RunStatus, StoredPrompts } from '@troupe/agents/ports'
import type {
  ApprovalStatus,
  Citation,
  GuardrailFlag,
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
  memberRunId: string | null
  agentId: string | null
  agentName: string | null
  llmConfigId: string
  llmConfigName: string | null
  modelId: string
  attempt: number
  isFallback: boolean
  inputTokens: number
  cachedTokens: number
  cacheWriteTokens: number
  outputTokens: number
  reasoningTokens: number
  /** Whether the provider reported them. */
  hasAllTokens: boolean
  costMicros: number | null
  latencyMs: number
  ttftMs: number | null
  ok: boolean
  errorCode: string | null
  /** The provider's own sentence, without secrets. It may repeat what was sent. */
  providerMessage: string | null
  /** What was unusual about an accepted answer. */
  note: string | null
  /** What was sent, for {@link Observation.prompts}; null: it is not kept. */
  promptId: string | null
  /** When its row was written, which for many calls is the end of the run. */
  recordedAt: number
}

/** The run of a team's member. */
export interface ObservedMember {
  runId: string
  /** The step of the team's run: `member:m1:0`. */
  stepKey: string
  agentId: string
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

/** A call of a tool that waits, or waited, for a person. */
export interface ObservedApproval {
  approvalId: string
  /** The step in the run that opened it: `call:0.0:approval`, of a member `member:m1:0/call:0.0:approval`. */
  stepKey: string
  toolCallId: string
  toolName: string
  status: ApprovalStatus
  /** Who decided; null: nobody has. */
  resolvedBy: ReviewActor | null
  reason: string | null
  createdAt: number
  /** When it was decided, or found expired; null: it waits, or nothing has been written about its end. */
  resolvedAt: number | null
}

/** Which texts of a run people may read: all, unless an agent of the run says otherwise (`privacy`). */
export interface ReadableTexts {
  /** What was sent: messages, tasks, arguments of tools. */
  inputs: boolean
  /** What came back: answers, results of tools. */
  outputs: boolean
}

/** What a run of an agent or a team consists of. */
export interface AgentRunTrace {
  /** null: erased, or never stored. */
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
  /** In the order in which they were opened; at most 500. */
  approvals: readonly ObservedApproval[]
  /** In the order of their rows; at most 2,000. */
  calls: readonly ObservedCall[]
  /** false: it is in flight, or was cancelled and its last texts and calls are not stored yet. */
  isSettled: boolean
}

/** A node of a workflow run without its values. */
export interface ObservedNode extends Omit<StoredNodeRun, 'input' | 'output' | 'seeded'> {
  /** Of a test: where the result of the node was taken from; absent: it was executed. */
  seed?: Pick<NewTest['seeds'][number], 'origin' | 'fromRunId'> | null
}

/** The same with its values. */
export type ObservedNodeValues = ObservedNode & Pick<StoredNodeRun, 'input' | 'output'>

/** What makes a run a test. */
export type TracedTest = TestTerms['scope'] & Pick<TestTerms, 'effects' | 'secretNames'>

/** What a run of a workflow consists of. */
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
  /** null: it is no test. */
  test: TracedTest | null
}

/** What the models of a run were asked, as far as it is kept. */
export interface ObservedPrompts {
  readable: ReadableTexts
  parts: readonly StoredPrompts[]
}

/** A run with its trace. */
export type TracedRun =
  | { kind: RunKind; run: RunOverview; agentRun: AgentRunTrace }
  | { kind: 'workflow'; run: RunOverview; workflowRun: WorkflowRunTrace }

/** The place of a node in the trace of its run. */
export interface TracePlace {
  seq: number
  path: string
  nodeId: string
}

/** What a node returned. */
export interface NodeOutput {
  nodeId: string
  /** null: nothing is stored, or more than 32 KB. */
  output: unknown
  /** Its size as JSON; null: nothing is stored. */
  bytes: number | null
}

/** A page of nodes of one workflow run. */
export interface ObservedNodes {
  versionId: WorkflowVersionId
  input: unknown
  rows: readonly ObservedNode[]
  next: TracePlace | null
  /** null: the run is no test. */
  test: TracedTest | null
}
