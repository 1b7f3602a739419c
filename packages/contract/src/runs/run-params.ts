import { Type } from 'typebox'
import { Uuid } from '../schema/formats.ts'
import type { RunId } from '../schema/ids.ts'
import { detailQuery } from './events.ts'

/** The parameters for resuming a stream. */
export const ResumeQuery = Type.Object({
  ...detailQuery,
  last_event_id: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})

/** The response to a cancel: whether this call ended the run. */
export const CancelledRun = Type.Object({
  cancelled: Type.Boolean(),
  runId: Uuid<RunId>(),
  message: Type.Optional(Type.String()),
})
