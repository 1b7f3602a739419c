import { MEMBER_ROLES } from '@troupe/contract'
import type { ConfigProblem } from '@troupe/graph'
import { isObject } from '../definition/fill-defaults.ts'
import { blockingProblem, objectsIn, repeated } from '../definition/problems.ts'
import { proposedValue } from './proposed-value.ts'

const isEmpty = (list: unknown) => !Array.isArray(list) || list.length === 0

const isRole = (role: unknown) => MEMBER_ROLES.some((known) => known === role)

function roleProblems(roles: unknown): ConfigProblem[] {
  if (!Array.isArray(roles) || roles.length === 0) {
    return [blockingProblem('reviewers.roles', 'must name at least one role')]
  }
  return roles.flatMap((role, index) =>
    isRole(role)
      ? []
      : [blockingProblem(`reviewers.roles.${index}`, `must be one of: ${MEMBER_ROLES.join(', ')}`)],
  )
}

function personProblems(userIds: unknown, approvalsRequired: unknown): ConfigProblem[] {
  if (!Array.isArray(userIds) || userIds.length === 0) {
    return [blockingProblem('reviewers.userIds', 'must name at least one person')]
  }
  const people = new Set(userIds.map((id) => String(id).toLowerCase())).size
  if (typeof approvalsRequired !== 'number' || approvalsRequired <= people) return []
  return [blockingProblem('approvalsRequired', `must be at most ${people}, the number of reviewers`)]
}

/** Checks that the review can be decided: by roles that may decide, and by enough reviewers for `approvalsRequired`. */
function reviewerProblems(reviewers: unknown, approvalsRequired: unknown): ConfigProblem[] {
  if (!isObject(reviewers)) return []
  const { kind, roles, userIds } = reviewers
  if (kind === 'roles') return roleProblems(roles)
  return kind === 'users' ? personProblems(userIds, approvalsRequired) : []
}

/** A literal proposed value of another type than its field would be omitted in the review. */
function proposalProblems([index, { type, value }]: [number, Record<string, unknown>]): ConfigProblem[] {
  if ((type !== 'number' && type !== 'boolean') || value === undefined || value === null) return []
  if (typeof value === 'string' && value.includes('{{')) return []
  if (proposedValue(type, [], value) !== null) return []
  const wanted = type === 'number' ? 'a number' : 'true or false'
  const message = `must be ${wanted}, or a token that resolves to one: reviewers see no proposed value`
  return [{ severity: 'warning', code: 'proposal_left_out', path: `fields.${index}.value`, message }]
}

/** The rules of a Human Review that its schema cannot express. */
export function reviewProblems({
  fields,
  reviewers,
  approvalsRequired,
}: Record<string, unknown>): ConfigProblem[] {
  return [
    ...repeated(fields, 'name', 'fields', 'field'),
    ...objectsIn(fields)
      .filter(([, { type, options }]) => type === 'select' && isEmpty(options))
      .map(([index]) => blockingProblem(`fields.${index}.options`, 'must have at least one option')),
    ...objectsIn(fields).flatMap(proposalProblems),
    ...reviewerProblems(reviewers, approvalsRequired),
  ]
}
