import type { ConfigProblem } from '@troupe/graph'
import { isObject } from '../definition/fill-defaults.ts'
import { block, objectsIn, repeated } from '../definition/problems.ts'

const isEmpty = (list: unknown) => !Array.isArray(list) || list.length === 0

function reviewerProblems(reviewers: unknown): ConfigProblem[] {
  if (!isObject(reviewers)) return []
  const { kind, roles, userIds } = reviewers
  if (kind === 'roles' && isEmpty(roles)) return [block('reviewers.roles', 'must name at least one role')]
  if (kind === 'users' && isEmpty(userIds))
    return [block('reviewers.userIds', 'must name at least one person')]
  return []
}

/** What the schema of a Human Review cannot say. */
export function reviewProblems({ fields, reviewers }: Record<string, unknown>): ConfigProblem[] {
  return [
    ...repeated(fields, 'name', 'fields', 'field'),
    ...objectsIn(fields)
      .filter(([, { type, options }]) => type === 'select' && isEmpty(options))
      .map(([index]) => block(`fields.${index}.options`, 'must have at least one option')),
    ...reviewerProblems(reviewers),
  ]
}
