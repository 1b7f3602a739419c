import type { NewRunMessage, RunKind, RunSource, RunStatus } from '@troupe/agents/ports'
import type {
  AnyId,
  Citation,
  GuardrailFlag,
  OrganizationId,
  ProjectId,
  RunId,
  RunPlan,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { StoredNodeRun, WorkflowRunSource, WorkflowRunStatus } from '@troupe/workflows/ports'

// Every timestamp in this file is in milliseconds since the epoch.

/** The kinds of runs in one list. */
export type ObservedKind = RunKind | 'workflow'

/** A run of an agent, a team or a workflow, as lists show it. */
export interface RunOverview {
  runId: AnyId
  kind: ObservedKind
  /** Whether it was a trial in the builder. */
  isTest: boolean
  entityId: AnyId
  /** null: it is deleted. */
  entityName: string | null
  projectId: ProjectId | null
  versionId: string
  /** null for a version that is no published one. */
  versionNumber: number | null
  source: RunSource | WorkflowRunSource | 'playground'
  status: RunStatus | WorkflowRunStatus
  /** Why a run in flight waits; null for all others. */
  statusReason: string | null
  success: boolean | null
  errorCode: string | null
  /** The first line. */
  error: string | null
  createdAt: number
  startedAt: number | null
  completedAt: number | null
  /** Tokens and cost are null where a workflow's run has too many nodes to be summed in a list. */
  inputTokens: number | null
  outputTokens: number | null
  /** Millionths of a US dollar; null also when no call had a price. */
  costMicros: number | null
  startedBy: { kind: 'api_key' | 'user'; id: string; name: string | null } | null
  sessionId: string | null
  userId: string | null
  tag: string | null
  /** The workflow run whose node started it. */
  workflowRunId: WorkflowRunId | null
}

/** Which runs a list shows; null: all. */
export interface RunFilter {
  kinds: readonly ObservedKind[] | null
  /** Runs that nodes of workflows started are listed with their entity only. */
  entityId: string | null
  statuses: readonly string[] | null
  sources: readonly string[] | null
  /** Of the start: `from` inclusive, `to` exclusive. */
  from: number | null
  to: number | null
  apiKeyId: string | null
  tag: string | null
  userId: string | null
  sessionId: string | null
  isTest: boolean | null
  projectId: string | null
}

/** The place of a run in a list, newest first. */
export interface RunPlace {
  createdAt: number
  runId: string
}

/** One page; it continues at `next`, or is the last one when that is null. */
export interface ObservedPage {
  rows: RunOverview[]
  next: RunPlace | null
}

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
  outputTokens: number
  reasoningTokens: number
  costMicros: number | null
  latencyMs: number
  ttftMs: number | null
  ok: boolean
  errorCode: string | null
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
  flags: readonly GuardrailFlag[] | null
  citations: readonly Citation[] | null
  plan: RunPlan | null
  messages: readonly (NewRunMessage & { runId: RunId })[]
  members: readonly ObservedMember[]
  /** In the order of their rows; at most 2,000. */
  calls: readonly ObservedCall[]
}

/** A node of a workflow run without its values. */
export type ObservedNode = Omit<StoredNodeRun, 'input' | 'output'>

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

/** A page of nodes of one workflow run. */
export interface ObservedNodes {
  versionId: WorkflowVersionId
  input: unknown
  rows: readonly ObservedNode[]
  next: TracePlace | null
}

/** Port: what people see of runs. Every method is one round trip and names the organization. */
export interface Observation {
  /**
   * Newest first. At most 10,000 runs are examined for a page, so that a rare filter costs no more than a common one:
   * such a page may be shorter than `limit`, or empty, and still have a `next`.
   */
  runs(
    organizationId: OrganizationId,
    filter: RunFilter,
    page: { after: RunPlace | null; limit: number },
  ): Promise<ObservedPage>
  /** A root run; null when the organization has none of this id. At most `nodes` nodes of a workflow's run. */
  run(organizationId: OrganizationId, runId: string, limits: { nodes: number }): Promise<TracedRun | null>
  /**
   * Nodes of a workflow run in the order of the run, of one frame unless `path` is null; null when the organization has
   * no such run.
   */
  nodes(
    organizationId: OrganizationId,
    runId: string,
    page: { path: string | null; after: TracePlace | null; limit: number },
  ): Promise<ObservedNodes | null>
  /** One node of a workflow run with its values; null when there is none. */
  node(
    organizationId: OrganizationId,
    runId: string,
    place: Omit<TracePlace, 'seq'>,
  ): Promise<{ versionId: WorkflowVersionId; runInput: unknown; node: StoredNodeRun } | null>
}
