import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const USAGE_GROUPS = [
  'day',
  'agent',
  'team',
  'workflow',
  'model',
  'apiKey',
  'tag',
  'user',
  'purpose',
] as const

const USAGE_METRICS = ['tokens', 'cost', 'runs', 'errors', 'voice'] as const

/** Usage of model calls and voice sessions. */
const amounts = {
  runs: Type.Integer({ description: 'Runs that called a model, on the day of their first call.' }),
  calls: Type.Integer({ description: 'Attempts at providers.' }),
  errors: Type.Integer({
    description: 'Failed ones of `calls`, without those ended by a person or a time limit of the run.',
  }),
  inputTokens: Type.Integer(),
  cachedTokens: Type.Integer({ description: 'Those of `inputTokens` that a provider had cached.' }),
  outputTokens: Type.Integer(),
  costUsd: Nullable(Type.Number({ description: 'Of the calls with a price; null when none had one.' })),
  voiceMinutes: Type.Number({
    description:
      'Of voice sessions and calls that ended on these days, of an agent, key, user or day: other groups have none. A call counts with its charge.',
  }),
}
const UsageTotals = Type.Object(amounts)

const day = (description: string) => Type.Optional(Type.String({ format: 'date', description }))

/** A report of usage with the period before it. */
export const UsageReport = Type.Object({
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date' }),
  data: Type.Array(
    Type.Object({
      key: Nullable(
        Type.String({ description: 'The day, id, model, user, tag or purpose; null: calls without one.' }),
      ),
      name: Nullable(Type.String({ description: 'null where there is none, or no longer one.' })),
      ...amounts,
    }),
    { description: 'Days in order; other groups by `metric`, the largest first, at most 1,000.' },
  ),
  isCut: Type.Boolean({ description: 'There are more groups than `data` has; the totals count all.' }),
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date' }),
      key: Nullable(Type.String({ description: 'null: everything beside the groups that have days.' })),
      ...amounts,
    }),
    {
      description:
        'With `daily`: the first five groups and the rest, day by day, in order; days without calls are omitted. Not for `day`, whose groups are days.',
    },
  ),
  totals: UsageTotals,
  previous: Type.Object({
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    ...amounts,
  }),
})
export type UsageReport = Static<typeof UsageReport>

export const getUsageForBuilder = defineOperation({
  id: 'getUsage',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/usage`,
  tag: 'Usage',
  summary: 'Report usage',
  description: 'All model calls, including the last seconds, and ended voice sessions. Days are in UTC.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    from: day('First day; 29 days before `to` by default.'),
    to: day('Last day; today by default. At most 366 days are reported.'),
    groupBy: Type.Optional(Choice(USAGE_GROUPS, { default: 'day' })),
    metric: Type.Optional(Choice(USAGE_METRICS, { default: 'tokens' })),
    projectId: Type.Optional(Uuid<ProjectId>()),
    daily: Type.Optional(Type.Boolean({ description: 'Also report the largest groups by day.' })),
  }),
  success: { status: 200, description: 'The report.', body: UsageReport },
  errors: ['validation_error'],
})
