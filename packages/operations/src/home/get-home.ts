import { type IdText, ProjectId, parseId } from '@troupe/contract'
import { type HomeView, type NamedBudget, unpricedFor } from '@troupe/contract/builder'
import type { Attention, Database, RunFilter } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { listNamedBudgets } from '../budgets/named-budgets.ts'
import { unpricedConfigurations } from '../budgets/unpriced-configurations.ts'
import { listMemberApprovals } from '../reviews/approvals.ts'
import { listMemberReviews } from '../reviews/reviews.ts'
import { presentRun } from '../runs/present-run.ts'

const NEXT = { page: 1, limit: 5 }
const MOST_RUNNING = 10
/** The share of a budget above which it needs attention. */
const NEARLY_USED = 0.8

const IN_FLIGHT: RunFilter = {
  kinds: null,
  entityId: null,
  statuses: ['queued', 'running', 'paused', 'awaiting_approval'],
  sources: null,
  from: null,
  to: null,
  apiKeyId: null,
  tag: null,
  userId: null,
  sessionId: null,
  isTest: null,
  projectId: null,
  cause: null,
}

const seconds = (ms: number) => Math.floor(ms / 1000)

/** The contents of Home, in one answer; `projectId` null: of all projects. */
export async function getHome(
  database: Pick<Database, 'read' | 'observed' | 'reviews' | 'approvals'>,
  caller: BuilderCaller,
  { projectId: given = null }: { projectId?: IdText<ProjectId> | null },
): Promise<HomeView> {
  const { organizationId } = caller
  const projectId = given === null ? null : parseId(ProjectId, given)
  const [attention, running, reviews, approvals, all, unpriced] = await Promise.all([
    database.observed.attention(organizationId, projectId),
    database.observed.runs(organizationId, { ...IN_FLIGHT, projectId }, { after: null, limit: MOST_RUNNING }),
    listMemberReviews(database, caller, {
      ...NEXT,
      projectId,
      status: 'open',
      mine: true,
      sort: 'expiresAt',
    }),
    listMemberApprovals(database, caller, { ...NEXT, projectId, status: 'pending', sort: 'expiresAt' }),
    listNamedBudgets(database.read, caller),
    unpricedConfigurations(database.read, organizationId),
  ])
  // Resources of the organization level concern every project.
  const isHere = (one: { projectId: IdText<ProjectId> | null }) =>
    projectId === null || one.projectId === null || one.projectId === projectId
  const budgets = all.filter(isHere)
  return {
    ...presentAttention(attention),
    reviews: { open: reviews.total, next: reviews.data },
    approvals: { pending: approvals.total, next: approvals.data },
    budgets: budgets.filter(isNearlyUsed),
    unpriced: unpricedFor(budgets, unpriced.filter(isHere)),
    running: { count: attention.inFlight, data: running.rows.map(presentRun) },
  }
}

const isNearlyUsed = ({ used, limit }: NamedBudget) => used >= limit * NEARLY_USED

function presentAttention({
  failures,
  schedules,
  expiringKeys,
  failingModels,
  steps,
  agentToTalkTo,
}: Attention) {
  return {
    failures: failures.map(({ entityId, entityName, lastAt, since, ...failure }) => ({
      ...failure,
      entity: { id: entityId, name: entityName },
      lastAt: seconds(lastAt),
      since: seconds(since),
    })),
    schedules: schedules.map((schedule) => ({ ...schedule, lastAt: seconds(schedule.lastAt) })),
    expiringKeys: expiringKeys.map((key) => ({ ...key, expiresAt: seconds(key.expiresAt) })),
    failingModels: failingModels.map((model) => ({ ...model })),
    steps,
    agentToTalkTo,
  }
}
