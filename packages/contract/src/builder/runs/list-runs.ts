import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { KeysetPage, keysetQuery } from '../operation/lists.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { ListedRun } from './listed-run.ts'
import { runFilter } from './run-filter.ts'

export const listRunsForBuilder = defineOperation({
  id: 'listRuns',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/runs`,
  tag: 'Runs',
  summary: 'List runs of agents, teams and workflows',
  description:
    'Newest first. At most 5,000 runs are examined for one page: with a rare filter a page may have fewer than ' +
    '`limit` runs, or none, and still a `next`.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    ...runFilter,
    ...keysetQuery,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 20 })),
  }),
  success: { status: 200, description: 'One page of runs.', body: KeysetPage(ListedRun) },
  errors: ['validation_error'],
})
