import { publicMessages } from '@troupe/agents'
import {
  AnyRunId,
  checkedId,
  type IdText,
  type OrganizationId,
  parseId,
  WorkflowRunId,
} from '@troupe/contract'
import type { AgentRunDetail, RunDetail, WorkflowRunDetail } from '@troupe/contract/builder'
import type { AgentRunTrace, Database, RunOverview, TracedTest, WorkflowRunTrace } from '@troupe/storage'
import { traceSecretsOf, traceValue, valuesOfRun } from '@troupe/workflows'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { presentReview } from '../reviews/present-review.ts'
import { presentVotes } from '../reviews/reviews.ts'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { presentNode } from './present-node.ts'
import { presentRun, usd } from './present-run.ts'
import { readableTrace } from './readable-trace.ts'
import { observedRunNotFound } from './run-errors.ts'
import { toolStarts, tracedApprovals } from './tool-times.ts'
import { tracedReview } from './traced-review.ts'

/** Dependencies of the traces of runs. */
export interface RunTraceParts {
  database: Pick<Database, 'observed' | 'reviews'>
  graphs: Pick<WorkflowGraphs, 'compiled'>
}

/** Maximum nodes and reviews in one answer. */
const MOST_NODES = 1_000
const MOST_REVIEWS = 100

/** A root run with its trace. @throws DomainError `run_not_found` */
export async function getRun(
  { database, graphs }: RunTraceParts,
  caller: BuilderCaller,
  runId: IdText<AnyRunId>,
): Promise<RunDetail> {
  const { organizationId } = caller
  const id = parseId(AnyRunId, runId)
  const found = id && (await database.observed.run(organizationId, id, { nodes: MOST_NODES }))
  if (!found) throw observedRunNotFound()
  if (found.kind !== 'workflow') {
    const agentRun = presentAgentRun(found.agentRun)
    return { ...withError(found.run, found.agentRun.error), agentRun, workflowRun: null }
  }
  const reviews = await reviewsOfRun(database.reviews, caller, found.run)
  const workflowRun = await presentWorkflowRun(graphs, organizationId, found.workflowRun, reviews)
  return { ...withError(found.run, found.workflowRun.error), agentRun: null, workflowRun }
}

/** The oldest reviews of a run, with their decisions. */
async function reviewsOfRun(
  reviews: RunTraceParts['database']['reviews'],
  caller: BuilderCaller,
  { runId, isTest }: RunOverview,
): Promise<WorkflowRunDetail['reviews']> {
  const scope = { organizationId: caller.organizationId, projectId: null, isTest }
  const rows =
    (await reviews.ofRun(scope, checkedId(WorkflowRunId, runId), { page: 1, limit: MOST_REVIEWS }))?.rows ??
    []
  const votes = await reviews.votes(rows.map(({ reviewId }) => reviewId))
  return rows.map((review) => ({
    ...presentReview(review),
    proposed: valuesOfRun(review.fields),
    votes: presentVotes(review, votes.get(review.reviewId) ?? [], caller),
  }))
}

/** The summary with the whole text of the error. */
function withError(run: RunOverview, error: string | null) {
  return presentRun({ ...run, error })
}

function presentAgentRun(trace: AgentRunTrace): AgentRunDetail {
  const {
    flags,
    citations,
    messages,
    members,
    calls,
    readable,
    error: _,
    approvals: _approvals,
    ...same
  } = trace
  return readableTrace({
    ...same,
    tracesInputs: readable.inputs,
    tracesOutputs: readable.outputs,
    flags: (flags ?? []).map((flag) => ({ ...flag })),
    citations: (citations ?? []).map((citation) => ({ ...citation })),
    messages: publicMessages(messages),
    approvals: tracedApprovals(trace),
    toolStarts: toolStarts(trace),
    members: members.map(({ createdAt, completedAt, ...member }) => ({
      ...member,
      startedMs: createdAt,
      completedMs: completedAt,
    })),
    calls: calls.map(({ costMicros, ttftMs, recordedAt: _recordedAt, ...call }) => ({
      ...call,
      costUsd: usd(costMicros),
      firstTokenMs: ttftMs,
    })),
  })
}

async function presentWorkflowRun(
  graphs: Pick<WorkflowGraphs, 'compiled'>,
  organizationId: OrganizationId,
  trace: WorkflowRunTrace,
  reviews: WorkflowRunDetail['reviews'],
): Promise<WorkflowRunDetail> {
  const graph = await graphs.compiled(organizationId, trace.versionId)
  const secrets = traceSecretsOf(graph, trace.input, trace.test?.secretNames)
  return {
    input: traceValue(trace.input ?? null, secrets),
    output: traceValue(trace.output ?? null, secrets),
    firedNodeId: trace.firedNodeId,
    scheduledFor: trace.scheduledFor === null ? null : Math.floor(trace.scheduledFor / 1000),
    traceErased: trace.traceErased,
    nodes: trace.nodes.map((node) => presentNode(node, graph, secrets)),
    nodeCount: trace.nodeCount,
    failedNodeCount: trace.failedNodeCount,
    reviews: reviews.map((review) => tracedReview(review, secrets)),
    test: trace.test && presentTest(trace.test),
  }
}

function presentTest({ kind, nodeId, path, effects }: TracedTest): WorkflowRunDetail['test'] {
  return {
    scope: { kind, nodeId, path },
    allowEffects: typeof effects === 'boolean' ? effects : [...effects],
  }
}
