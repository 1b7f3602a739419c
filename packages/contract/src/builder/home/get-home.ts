import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { AgentId, ApiKeyId, LlmConfigId, ProjectId, WorkflowId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { NamedBudget, UnpricedConfiguration } from '../budgets/operations.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { MemberApproval, MemberReview } from '../reviews/operations.ts'
import { ListedRun, OBSERVED_KINDS } from '../runs/listed-run.ts'

const Failure = Type.Object({
  kind: Choice(OBSERVED_KINDS),
  entity: Type.Object({
    id: Uuid(),
    name: Nullable(Type.String({ description: 'null: it is deleted.' })),
  }),
  code: Nullable(Type.String()),
  cause: Type.String({ description: 'The first line of the error, without numbers and ids.' }),
  count: Type.Integer(),
  lastRunId: Uuid(),
  lastError: Nullable(
    Type.String({ description: 'The first line of the error of the last one, with its numbers.' }),
  ),
  lastAt: UnixSeconds(),
  since: UnixSeconds(),
})

const ScheduleProblem = Type.Object({
  workflowId: Uuid<WorkflowId>(),
  workflowName: Type.String(),
  nodeId: Type.String(),
  outcome: Choice(['missed', 'skipped']),
  count: Type.Integer(),
  reason: Nullable(Type.String()),
  lastAt: UnixSeconds(),
})

const FailingModel = Type.Object({
  llmConfigId: Uuid<LlmConfigId>(),
  name: Type.String(),
  calls: Type.Integer({ description: 'In the last hour.' }),
  failed: Type.Integer(),
  lastError: Nullable(Type.String()),
})

/** Items that need a person, and current activity. */
export const HomeView = Type.Object({
  reviews: Type.Object({
    open: Type.Integer({ description: 'Assigned to the caller, who has not approved them yet.' }),
    next: Type.Array(MemberReview, { description: 'At most 5, the next deadline first.' }),
  }),
  approvals: Type.Object({
    pending: Type.Integer(),
    next: Type.Array(MemberApproval, { description: 'At most 5, the next deadline first.' }),
  }),
  failures: Type.Array(Failure, {
    description:
      'Failures of the last 24 hours, by entity and cause; at most 20. `lastAt`: when the last of them failed. `since`: when the first of them was created, which may be long before.',
  }),
  budgets: Type.Array(NamedBudget, {
    description: 'Budgets with 80 % or more used; for a project, including those of the organization.',
  }),
  unpriced: Type.Array(UnpricedConfiguration, {
    description:
      'Configurations with models without a price, whose runs a budget in dollars refuses; for a project, those that it can use.',
  }),
  schedules: Type.Array(ScheduleProblem, {
    description: 'Planned times of 24 hours without a run; at most 20.',
  }),
  expiringKeys: Type.Array(
    Type.Object({ apiKeyId: Uuid<ApiKeyId>(), name: Type.String(), expiresAt: UnixSeconds() }),
    {
      description: 'Within 14 days, unless another key replaces it.',
    },
  ),
  failingModels: Type.Array(FailingModel, {
    description: 'LLM configurations with at least 3 failed calls in the last hour, half of all or more.',
  }),
  running: Type.Object({
    count: Type.Integer({ description: 'Runs in flight.' }),
    data: Type.Array(ListedRun, { description: 'The newest 10.' }),
  }),
  steps: Type.Object(
    {
      llmConfiguration: Type.Boolean({ description: 'Another provider than the sandbox.' }),
      agent: Type.Boolean(),
      apiKey: Type.Boolean(),
      run: Type.Boolean({
        description: 'Somebody or a program has run something: runs of schedules do not count.',
      }),
      colleague: Type.Boolean(),
    },
    { description: 'The first steps that are done.' },
  ),
  agentToTalkTo: Nullable(
    Uuid<AgentId>({ description: 'The newest active agent of the organization; null: there is none.' }),
  ),
})
export type HomeView = Static<typeof HomeView>

export const getHomeForBuilder = defineOperation({
  id: 'getHome',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/home`,
  tag: 'Home',
  summary: 'Items that need a person, and current runs',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    projectId: Type.Optional(
      Uuid<ProjectId>({
        description: 'Only resources of this project; the first steps are those of the organization.',
      }),
    ),
  }),
  success: { status: 200, description: 'One answer for the whole page.', body: HomeView },
  errors: [],
})
