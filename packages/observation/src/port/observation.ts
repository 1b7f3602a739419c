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

/** What needs a person in an organization. */
export interface Attention {
  /** Failures of 24 hours by entity and cause, the most frequent first; the newest 2,000 of each kind are grouped. */
  failures: readonly {
    kind: ObservedKind
    entityId: string
    entityName: string | null
    code: string | null
    /** The first line of the error without numbers and ids. */
    cause: string
    count: number
    lastRunId: string
    lastAt: number
  }[]
  /** Planned times of 24 hours at which no run started, by schedule and outcome. */
  schedules: readonly {
    workflowId: string
    workflowName: string
    nodeId: string
    outcome: 'missed' | 'skipped'
    count: number
    reason: string | null
    lastAt: number
  }[]
  /** Keys that end within 14 days and have no successor. */
  expiringKeys: readonly { apiKeyId: string; name: string; expiresAt: number }[]
  /** LLM configurations with at least three failed calls in the last hour that are half of its calls or more. */
  failingModels: readonly {
    llmConfigId: string
    name: string
    calls: number
    failed: number
    lastError: string | null
  }[]
  /** What a new organization has done already. */
  steps: { llmConfiguration: boolean; agent: boolean; apiKey: boolean; run: boolean; colleague: boolean }
  /** Runs of every kind that have not ended; of nodes of workflows only their workflow's. */
  inFlight: number
}

/** A thing that a search found. */
export interface SearchHit {
  kind:
    | ObservedKind
    | `${ObservedKind}_run`
    | `${ObservedKind}_version`
    | 'llm_configuration'
    | 'knowledge_base'
    | 'skill'
    | 'project'
    | 'api_key'
    | 'review'
  id: string
  name: string
  /** Its status or number; null for nothing to add. */
  detail: string | null
  projectId: ProjectId | null
  /** What a run, a review or a version belongs to. */
  parentId: string | null
}

/** What a poll for changes asks for. */
export interface WatchedThings {
  organizations: readonly {
    organizationId: OrganizationId
    /** Entries of the audit log after this one; null: none are asked for. */
    entriesAfter: number | null
    runs: boolean
    reviews: boolean
  }[]
  watched: readonly { organizationId: OrganizationId; kind: WatchedKind; id: string }[]
  /** Sessions of people who watch. */
  viewers: readonly Viewer[]
}

export type WatchedKind = 'workflow-run' | 'workflow' | 'deliveries'

/** Somebody who watches an organization. */
export interface Viewer {
  sessionId: string
  organizationId: OrganizationId
}

/** The answer to a poll. States are opaque texts that differ when something changed; null: there is no such thing. */
export interface ObservedChanges {
  organizations: readonly {
    organizationId: OrganizationId
    runs: string | null
    reviews: string | null
    /** The newest entry of the audit log of any organization. */
    newestEntry: number
    entries:
      | readonly { id: number; action: string; entityKind: string; entityId: string; at: number }[]
      | null
  }[]
  watched: readonly { organizationId: OrganizationId; kind: WatchedKind; id: string; state: string | null }[]
  /** Those who are still signed in and may still read the organization. */
  viewers: readonly Viewer[]
}

/** Runs over time. */
export interface RunHistogram {
  /** Counts of buckets that have runs, by their beginning, oldest first. */
  buckets: readonly { at: number; completed: number; failed: number; other: number; inFlight: number }[]
  /** The oldest run that was counted where there were too many; null: all were. */
  countedFrom: number | null
}

/** A conversation with an agent or a team. */
export interface ObservedSession {
  id: string
  /** The public id. */
  sessionId: string
  kind: RunKind
  entityId: string
  entityName: string | null
  projectId: ProjectId | null
  userId: string
  /** How many runs were started in it. */
  runs: number
  createdAt: number
  lastRunAt: number
}

/** Which sessions a list shows; null: all. */
export interface ObservedSessionFilter {
  entityId: string | null
  userId: string | null
  /** The public id. */
  sessionId: string | null
  projectId: string | null
}

/** The place of a session in a list, newest first. */
export interface SessionPlace {
  createdAt: number
  id: string
}

/** A run of a conversation with its texts. */
export interface ObservedTurn {
  seq: number
  run: RunOverview
  /** null: texts are not kept. */
  input: string | null
  content: string | null
}

/** A conversation with a page of its runs. */
export interface TracedSession {
  session: ObservedSession
  /** Newest first. */
  turns: readonly ObservedTurn[]
  /** The number of the last turn of the page when there are older ones. */
  next: number | null
  /** What the model reads instead of the turns up to `coversSeq`; null: there is none. */
  summary: { text: string; coversSeq: number; createdAt: number } | null
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
  /** What needs a person now. */
  attention(organizationId: OrganizationId): Promise<Attention>
  /** Things by a part of their name or slug, or by the beginning of an id (8 characters for runs, reviews, versions). */
  search(organizationId: OrganizationId, text: string, limit: number): Promise<SearchHit[]>
  /** One poll for everything that anybody in this process watches. */
  changes(things: WatchedThings): Promise<ObservedChanges>
  /**
   * Counts by buckets of `bucketMs` from `from`, over the newest 50,000 runs that the indexed part of the filter has:
   * counting more would take seconds.
   */
  histogram(
    organizationId: OrganizationId,
    filter: RunFilter & { from: number; to: number },
    bucketMs: number,
  ): Promise<RunHistogram>
  /** Newest first, examining at most 10,000 sessions as {@link Observation.runs} does. */
  sessions(
    organizationId: OrganizationId,
    filter: ObservedSessionFilter,
    page: { after: SessionPlace | null; limit: number },
  ): Promise<{ rows: ObservedSession[]; next: SessionPlace | null }>
  /** A session by the id of its row, with turns before number `before`; null when the organization has none. */
  session(
    organizationId: OrganizationId,
    id: string,
    page: { before: number | null; limit: number },
  ): Promise<TracedSession | null>
}
