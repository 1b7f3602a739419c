import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { UnixSeconds, Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

/** Activity of an organization in the last 24 hours, for the tiles of Home. */
export const DayView = Type.Object({
  runs: Type.Integer({ description: 'That ended.' }),
  failed: Type.Integer({ description: 'Of them.' }),
  p95Ms: Nullable(
    Type.Integer({
      description: 'Of the completed runs, from their start to their end; null: none completed.',
    }),
  ),
  costUsd: Type.Number(),
  isCut: Type.Boolean({
    description:
      'There were more than 10,000 runs of a kind or 50,000 calls; the numbers cover the newest ones.',
  }),
  hours: Type.Array(
    Type.Object({
      at: UnixSeconds(),
      runs: Type.Integer(),
      failed: Type.Integer(),
      costUsd: Type.Number(),
    }),
    { description: 'The hours in which something ended or was spent, oldest first.' },
  ),
})
export type DayView = Static<typeof DayView>

export const getDayForBuilder = defineOperation({
  id: 'getDay',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/home/day`,
  tag: 'Home',
  summary: 'Runs, failures, durations and cost of the last 24 hours',
  description: 'Tests and runs of the playground are omitted; their cost is counted.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    projectId: Type.Optional(Uuid<ProjectId>({ description: 'Only resources of this project.' })),
  }),
  success: { status: 200, description: 'The day.', body: DayView },
  errors: [],
})
