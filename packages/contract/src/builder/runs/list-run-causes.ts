import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { OBSERVED_KINDS } from './listed-run.ts'
import { runFilter } from './run-filter.ts'

/** Failures of one agent, team or workflow with the same cause. */
export const RunCause = Type.Object({
  kind: Choice(OBSERVED_KINDS),
  entity: Type.Object({
    id: Uuid(),
    name: Nullable(Type.String({ description: 'null: it is deleted.' })),
  }),
  code: Nullable(Type.String({ description: 'Of the newest of them.' })),
  cause: Type.String({
    description: 'The first line of the error, without numbers and ids; the code where there is no message.',
  }),
  count: Type.Integer(),
  lastRunId: Uuid(),
  lastAt: UnixSeconds(),
})
export type RunCause = Static<typeof RunCause>

export const listRunCausesForBuilder = defineOperation({
  id: 'listRunCauses',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/run-causes`,
  tag: 'Runs',
  summary: 'Group failed runs by cause',
  description:
    'With the filters of the list, of which `cause` and `entityId` lead to the runs of one cause. The newest 1,000 failures ' +
    'are grouped; with a rare filter, of the newest 5,000 that are examined.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object(runFilter),
  success: {
    status: 200,
    description: 'At most 20 causes, the most frequent first.',
    body: Type.Object({
      grouped: Type.Integer({ description: 'Failures that are grouped, at most 1,000.' }),
      isCut: Type.Boolean({ description: 'Whether there may be older failures that are not grouped.' }),
      data: Type.Array(RunCause),
    }),
  },
  errors: ['validation_error'],
})
