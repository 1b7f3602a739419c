import type { IdText, ProjectId } from '@troupe/contract'
import { RUN_SOURCES } from '@troupe/contract/builder'
import {
  choiceParam,
  optionalParam,
  type Param,
  type Params,
  textParam,
  type ValuesOf,
} from '../url/search-params.ts'

export const RUN_KINDS = ['any', 'agent', 'team', 'workflow'] as const
export const RUN_STATUSES = [
  'any',
  'in-flight',
  'completed',
  'failed',
  'cancelled',
  'queued',
  'running',
  'paused',
  'awaiting_approval',
] as const
export const RUN_SOURCE_CHOICES = ['any', ...RUN_SOURCES] as const
export const RUN_RANGES = ['hour', 'day', 'week', 'month', 'all'] as const
export const RUN_TRIALS = ['any', 'only', 'without'] as const

/** A moment in Unix seconds; null if absent or invalid. */
const momentParam: Param<number | null> = {
  read: (text) => {
    const value = Number(text ?? '')
    return text && Number.isSafeInteger(value) && value > 0 && value < 253_402_300_799 ? value : null
  },
  write: (value) => (value === null ? null : String(value)),
}

/** The filters of the explorer, from its URL. */
export const RUN_PARAMS = {
  kind: choiceParam(RUN_KINDS, 'any'),
  status: choiceParam(RUN_STATUSES, 'any'),
  source: choiceParam(RUN_SOURCE_CHOICES, 'any'),
  range: choiceParam(RUN_RANGES, 'week'),
  from: momentParam,
  to: momentParam,
  entity: optionalParam,
  tag: textParam,
  user: textParam,
  session: textParam,
  key: optionalParam,
  trials: choiceParam(RUN_TRIALS, 'any'),
  /** The reasons of failed runs, from `listRunCauses`. */
  cause: textParam,
} satisfies Params
export type RunParams = ValuesOf<typeof RUN_PARAMS>

const RANGE_SECONDS = { hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000, all: null } as const
const STATUSES: Readonly<Record<RunParams['status'], string | null>> = {
  any: null,
  'in-flight': 'queued,running,paused,awaiting_approval',
  completed: 'completed',
  failed: 'failed,timeout,loop_limit_reached,policy_blocked,concurrency_limit_reached',
  cancelled: 'cancelled',
  queued: 'queued',
  running: 'running',
  paused: 'paused',
  awaiting_approval: 'awaiting_approval',
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** An id in the URL; any other text is omitted, because the server would refuse the whole request. */
const uuid = (text: string | null) => (text !== null && UUID.test(text) ? text : null)

/**
 * The query of the list and of the histogram. A range counts back from `now` (Unix seconds); a dragged range is
 * absolute, so that a link shows the same range to other users.
 */
export function runQuery(params: RunParams, projectId: IdText<ProjectId> | null, now: number) {
  const { kind, status, source, range, from, to, tag, user, session, trials, cause } = params
  const seconds = RANGE_SECONDS[range]
  const isAbsolute = from !== null || to !== null
  const begin = isAbsolute ? from : seconds === null ? null : now - seconds
  const statuses = STATUSES[status]
  const [entityId, apiKeyId] = [uuid(params.entity), uuid(params.key)]
  return {
    ...(kind === 'any' ? {} : { kind }),
    ...(statuses === null ? {} : { status: statuses }),
    ...(source === 'any' ? {} : { source }),
    ...(begin === null ? {} : { from: begin }),
    ...(to === null ? {} : { to }),
    ...(entityId === null ? {} : { entityId }),
    ...(apiKeyId === null ? {} : { apiKeyId }),
    ...(tag === '' ? {} : { tag: tag.slice(0, 255) }),
    ...(user === '' ? {} : { userId: user.slice(0, 255) }),
    ...(session === '' ? {} : { sessionId: session.slice(0, 255) }),
    ...(trials === 'any' ? {} : { test: trials === 'only' }),
    ...(cause === '' ? {} : { cause: cause.slice(0, 400) }),
    ...(projectId === null ? {} : { projectId }),
  }
}

/** Whether any filter besides the time is set. */
export function isNarrowed({
  kind,
  status,
  source,
  entity,
  tag,
  user,
  session,
  key,
  trials,
  cause,
}: RunParams): boolean {
  const words = [kind, status, source, trials].some((one) => one !== 'any')
  return (
    words || entity !== null || key !== null || tag !== '' || user !== '' || session !== '' || cause !== ''
  )
}
