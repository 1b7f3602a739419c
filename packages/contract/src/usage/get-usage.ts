import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { Choice } from '../schema/choice.ts'
import { Nullable } from '../schema/nullable.ts'
import { USAGE_DIMENSIONS } from './usage-dimension.ts'

const Day = (description: string) => Type.String({ format: 'date', description })

export const getUsageOperation = defineOperation({
  id: 'getUsage',
  method: 'GET',
  path: '/api/v1/usage',
  tag: 'Usage',
  summary: 'Report usage',
  description:
    'Sums of all model calls, including the last seconds. Days are in UTC. A key of a project sees the calls of ' +
    'its project. Runs that called no model are not counted; a run counts on the day of its first call.',
  access: 'api_key',
  query: Type.Object({
    from: Type.Optional(Day('First day; 29 days before `to` by default.')),
    to: Type.Optional(Day('Last day; today by default. At most 400 days are reported.')),
    group_by: Type.Optional(Choice(USAGE_DIMENSIONS, { default: 'day' })),
  }),
  success: {
    status: 200,
    description: 'Days in order; other groups by tokens, at most 1,000.',
    body: Type.Object({
      data: Type.Array(
        Type.Object({
          key: Nullable(
            Type.String({
              description: 'The day, id, model, user or tag; null: calls that belong to none.',
            }),
          ),
          name: Nullable(Type.String({ description: 'null where there is none, or no longer one.' })),
          runs: Type.Integer(),
          modelCalls: Type.Integer({ description: 'Attempts at providers.' }),
          inputTokens: Type.Integer(),
          cachedInputTokens: Type.Integer({
            description: 'Those of `inputTokens` that a provider had cached.',
          }),
          outputTokens: Type.Integer(),
          voiceMinutes: Type.Number({
            description:
              'Ended calls, as they were charged, and ended voice sessions since the caller joined last; by user, `end_user_ref`.',
          }),
          costUsd: Nullable(
            Type.Number({ description: 'Of the calls with a price; null when none had one.' }),
          ),
        }),
      ),
    }),
  },
  errors: ['validation_error'],
})
