import { Type } from 'typebox'
import { Uuid } from '../../schema/formats.ts'
import type { AnyRunnableId, ApiKeyId, ProjectId } from '../../schema/ids.ts'
import { CommaList } from '../operation/comma-list.ts'
import { OBSERVED_KINDS, OBSERVED_STATUSES } from './listed-run.ts'
import { RUN_SOURCES } from './run-sources.ts'

const moment = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799, description }))

/** The filter of a list of runs. */
export const runFilter = {
  kind: Type.Optional(CommaList(OBSERVED_KINDS, 'Of these kinds.')),
  entityId: Type.Optional(
    Uuid<AnyRunnableId>({
      description: 'Of this agent, team or workflow; only then with runs that nodes of workflows started.',
    }),
  ),
  status: Type.Optional(CommaList(OBSERVED_STATUSES, 'With one of these statuses.')),
  source: Type.Optional(CommaList(RUN_SOURCES, 'Started in one of these ways.')),
  from: moment('Started at this Unix time, in seconds, or later.'),
  to: moment('Started before this Unix time, in seconds.'),
  apiKeyId: Type.Optional(Uuid<ApiKeyId>()),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  sessionId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  test: Type.Optional(
    Type.Boolean({ description: 'true: only trials in the builder; false: none of them.' }),
  ),
  cause: Type.Optional(
    Type.String({ maxLength: 400, description: 'Failures with this cause, as `listRunCauses` answers it.' }),
  ),
  projectId: Type.Optional(
    Type.Union([Uuid<ProjectId>(), Type.Literal('none')], {
      description: 'Only this project; `none`: only resources without a project.',
    }),
  ),
}
