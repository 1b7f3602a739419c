import { AUDIT_ACTIONS, AUDITED_KINDS, type AuditAction, type AuditedKind } from '@troupe/contract'
import { beginningOfDay, dayParam } from '../url/day-param.ts'
import {
  choiceParam,
  optionalParam,
  type Param,
  type Params,
  readParams,
  type ValuesOf,
} from '../url/search-params.ts'

const ACTIONS: readonly AuditAction[] = AUDITED_KINDS.flatMap((kind) => AUDIT_ACTIONS[kind])
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id of a user or a key; null if absent or invalid. */
const actorParam: Param<string | null> = {
  read: (text) => (text !== null && UUID.test(text) ? text.toLowerCase() : null),
  write: (value) => value,
}

const actionParam: Param<AuditAction | null> = {
  read: (text) => ACTIONS.find((action) => action === text) ?? null,
  write: (value) => value,
}

/** The filters of the audit log and the open row, from the URL. Both days are included. */
export const AUDIT_PARAMS = {
  kind: choiceParam<AuditedKind | 'any'>(['any', ...AUDITED_KINDS], 'any'),
  actor: actorParam,
  action: actionParam,
  from: dayParam,
  to: dayParam,
  change: optionalParam,
} satisfies Params
export type AuditParams = ValuesOf<typeof AUDIT_PARAMS>

/** No filter, and no row open. */
export const WHOLE_AUDIT_LOG = readParams(AUDIT_PARAMS, new URLSearchParams())

/** The actions of a kind of resource, or all. */
export function auditActionsOf(kind: AuditedKind | 'any'): readonly AuditAction[] {
  return kind === 'any' ? ACTIONS : AUDIT_ACTIONS[kind]
}

/** Filters that fit together: an action that the kind does not know is omitted, and the earlier day comes first. */
export function fittingFilters(params: AuditParams): AuditParams {
  const { kind, action, from, to } = params
  const fits = auditActionsOf(kind).some((one) => one === action)
  const isTurned = from !== null && to !== null && to < from
  return { ...params, action: fits ? action : null, ...(isTurned && { from: to, to: from }) }
}

/** The query of the list, for days in the reader's time zone. */
export function auditQuery(params: AuditParams) {
  const { kind, actor, action, from, to } = fittingFilters(params)
  return {
    ...(kind !== 'any' && { entityKind: kind }),
    ...(actor !== null && { actorId: actor }),
    ...(action !== null && { action }),
    ...(from !== null && { from: beginningOfDay(from).toISOString() }),
    ...(to !== null && { to: beginningOfDay(to, 1).toISOString() }),
  }
}
