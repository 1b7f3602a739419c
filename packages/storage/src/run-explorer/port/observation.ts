import type {
  AnyRunId,
  OrganizationId,
  ProjectId,
  RunId,
  SessionRowId,
  VoiceSessionId,
  WorkflowId,
  WorkflowRunId,
  WorkflowVersionId,
} from '@troupe/contract'
import type { Attention } from './attention.ts'
import type { ObservedChanges, WatchedThings } from './changes.ts'
import type { ObservedDay } from './observed-day.ts'
import type { RepeatableRun, RunHead } from './run-head.ts'
import type { FailureCause, ObservedPage, RunFilter, RunHistogram, RunPlace } from './run-list.ts'
import type {
  NodeOutput,
  ObservedNode,
  ObservedNodes,
  ObservedNodeValues,
  ObservedPrompts,
  TracedRun,
  TracedTest,
  TracePlace,
} from './run-trace.ts'
import type { SearchHit } from './search-hit.ts'
import type { ObservedSession, ObservedSessionFilter, SessionPlace, TracedSession } from './sessions.ts'
import type { StepSample, TestSource } from './test-source.ts'
import type { ObservedVoiceFilter, ObservedVoiceSession } from './voice-sessions.ts'

/** Port: views of runs for people. Every method is one round trip and names the organization. */
export interface Observation {
  /**
   * Newest first. At most 5,000 runs are examined for a page, so that a rare filter costs no more than a common one:
   * such a page may be shorter than `limit`, or empty, and still have a `next`.
   */
  runs(
    organizationId: OrganizationId,
    filter: RunFilter,
    page: { after: RunPlace | null; limit: number },
  ): Promise<ObservedPage>
  /**
   * Causes of failures, the most frequent first, at most 20: of the newest 1,000 failures that the filter finds among
   * the newest 5,000. `isCut`: there may be older ones.
   */
  failureCauses(
    organizationId: OrganizationId,
    filter: RunFilter,
  ): Promise<{ causes: FailureCause[]; grouped: number; isCut: boolean }>
  /** A root run with at most `nodes` nodes of a workflow's run; null if the organization has none with this id. */
  run(organizationId: OrganizationId, runId: AnyRunId, limits: { nodes: number }): Promise<TracedRun | null>
  /** The prompts of the models of an agent's or a team's run; null if the organization has no such root run. */
  prompts(organizationId: OrganizationId, runId: RunId): Promise<ObservedPrompts | null>
  /** The same run without its trace; null if the organization has none with this id. */
  runHead(organizationId: OrganizationId, runId: AnyRunId): Promise<RunHead | null>
  /** The request that repeats the run; null if the organization has none with this id. */
  repeatableRun(organizationId: OrganizationId, runId: AnyRunId): Promise<RepeatableRun | null>
  /**
   * Nodes of a workflow run in the order of the run, of one frame unless `path` is null and in one state unless
   * `status` is; null if the organization has no such run.
   */
  nodes(
    organizationId: OrganizationId,
    runId: WorkflowRunId,
    page: {
      path: string | null
      status: ObservedNode['status'] | null
      after: TracePlace | null
      limit: number
    },
  ): Promise<ObservedNodes | null>
  /** One node of a workflow run with its values; null if there is none. */
  node(
    organizationId: OrganizationId,
    runId: WorkflowRunId,
    place: Omit<TracePlace, 'seq'>,
  ): Promise<{
    versionId: WorkflowVersionId
    runInput: unknown
    node: ObservedNodeValues
    /** null if the run is not a test. */
    test: TracedTest | null
  } | null>
  /** Outputs of nodes of one frame, without nodes that have no row; null if the organization has no such run. */
  nodeOutputs(
    organizationId: OrganizationId,
    runId: WorkflowRunId,
    places: { path: string; nodeIds: readonly string[] },
  ): Promise<(Pick<ObservedNodes, 'versionId' | 'input' | 'test'> & { rows: readonly NodeOutput[] }) | null>
  /** The last 24 hours of an organization or of one of its projects; of at most 10,000 runs of each kind and 50,000 calls. */
  day(organizationId: OrganizationId, projectId: ProjectId | null): Promise<ObservedDay>
  /**
   * A run of a workflow as the source of a test, with its steps in `frames` and at most 5,000 others; null if the
   * organization has none.
   */
  testSource(
    organizationId: OrganizationId,
    runId: WorkflowRunId,
    frames: readonly string[],
  ): Promise<TestSource | null>
  /** Durations and costs of these steps in the newest runs of a workflow; steps that none of them executed are omitted. */
  stepSamples(
    organizationId: OrganizationId,
    workflowId: WorkflowId,
    nodeIds: readonly string[],
  ): Promise<StepSample[]>
  /** Items that need a person now; `projectId` null: in all projects. The first steps are those of the organization. */
  attention(organizationId: OrganizationId, projectId: ProjectId | null): Promise<Attention>
  /** Resources and runs by a part of their name or slug, or by the start of an id (8 characters for runs, reviews, versions). */
  search(organizationId: OrganizationId, text: string, limit: number): Promise<SearchHit[]>
  /** One poll for everything that viewers in this process watch. */
  changes(things: WatchedThings): Promise<ObservedChanges>
  /**
   * Counts in buckets of `bucketMs` from `from`, over the newest 50,000 runs that match the indexed part of the filter:
   * counting more would take seconds.
   */
  histogram(
    organizationId: OrganizationId,
    filter: RunFilter & { from: number; to: number },
    bucketMs: number,
  ): Promise<RunHistogram>
  /** Newest first, examining at most 5,000 sessions as {@link Observation.runs} does. */
  sessions(
    organizationId: OrganizationId,
    filter: ObservedSessionFilter,
    page: { after: SessionPlace<SessionRowId> | null; limit: number },
  ): Promise<{ rows: ObservedSession[]; next: SessionPlace<SessionRowId> | null }>
  /** Voice sessions and outbound calls, as {@link Observation.sessions} lists conversations. */
  voiceSessions(
    organizationId: OrganizationId,
    filter: ObservedVoiceFilter,
    page: { after: SessionPlace<VoiceSessionId> | null; limit: number },
  ): Promise<{ rows: ObservedVoiceSession[]; next: SessionPlace<VoiceSessionId> | null }>
  /** A session by the id of its row, with the turns before number `before`; null if the organization has none. */
  session(
    organizationId: OrganizationId,
    id: SessionRowId,
    page: { before: number | null; limit: number },
  ): Promise<TracedSession | null>
}
