import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { UnixSeconds } from '../../schema/formats.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { runFilter } from './run-filter.ts'

export const runHistogramForBuilder = defineOperation({
  id: 'runHistogram',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/run-histogram`,
  tag: 'Runs',
  summary: 'Count runs over time',
  description:
    'With the filters of the list; by default the last 24 hours. Buckets without runs are omitted.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    ...runFilter,
    buckets: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 60 })),
  }),
  success: {
    status: 200,
    description: 'Counts by bucket, oldest first.',
    body: Type.Object({
      from: UnixSeconds(),
      to: UnixSeconds(),
      bucketSeconds: Type.Integer(),
      countedFrom: Nullable(
        Type.Integer({
          description:
            'Unix time: only the newest 50,000 runs are counted; this is the start of the oldest one. null: all were counted.',
        }),
      ),
      data: Type.Array(
        Type.Object({
          at: UnixSeconds(),
          completed: Type.Integer(),
          failed: Type.Integer(),
          other: Type.Integer({ description: 'Cancelled, or refused by a limit.' }),
          inFlight: Type.Integer(),
        }),
      ),
    }),
  },
  errors: ['validation_error'],
})
