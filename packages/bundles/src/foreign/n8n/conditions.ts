import { isJsonObject, type Operator } from '@troupe/contract'
import { type ConditionGroup, conditionGroup, unknownCondition } from '../draft/condition-groups.ts'
import { textOf } from '../draft/plain.ts'
import type { N8nScope } from './n8n-scope.ts'
import type { N8nNode } from './read-n8n.ts'

/**
 * Operators of filters, by the type of the value and the operation; null: no counterpart.
 *
 * Source: packages/workflow/src/node-parameters/filter-parameter.ts and packages/frontend/editor-ui/…/FilterConditions/constants.ts of
 * github.com/n8n-io/n8n; of version 1: packages/nodes-base/nodes/If/V1/IfV1.node.ts.
 */
const OPERATIONS: Readonly<Record<string, Operator>> = {
  equals: 'eq',
  equal: 'eq',
  notEquals: 'neq',
  notEqual: 'neq',
  contains: 'contains',
  notContains: 'not_contains',
  startsWith: 'starts_with',
  endsWith: 'ends_with',
  regex: 'matches',
  empty: 'is_empty',
  isEmpty: 'is_empty',
  notEmpty: 'is_not_empty',
  isNotEmpty: 'is_not_empty',
  exists: 'exists',
  notExists: 'not_exists',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  larger: 'gt',
  largerEqual: 'gte',
  smaller: 'lt',
  smallerEqual: 'lte',
  after: 'gt',
  before: 'lt',
  afterOrEquals: 'gte',
  beforeOrEquals: 'lte',
  true: 'is_true',
  false: 'is_false',
}

/** The default operations of version 1. */
const V1_DEFAULTS: Readonly<Record<string, string>> = {
  boolean: 'equal',
  dateTime: 'after',
  number: 'smaller',
  string: 'equal',
}

interface Part {
  left: unknown
  operation: string
  right: unknown
}

function conditionOf({ left, operation, right }: Part, node: N8nNode, scope: N8nScope, remarks: string[]) {
  const op = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined
  if (op === undefined) {
    remarks.push(`The comparison "${operation.slice(0, 40)}" has no counterpart.`)
    return unknownCondition('n8n', `${textOf(left)} ${operation} ${textOf(right ?? '')}`)
  }
  const pattern =
    op === 'matches' && typeof right === 'string' ? /^\/(.*)\/[a-z]{0,6}$/s.exec(right)?.[1] : undefined
  return {
    left: scope.value(left ?? '', node, remarks),
    op,
    ...(!['is_empty', 'is_not_empty', 'exists', 'not_exists', 'is_true', 'is_false'].includes(op) && {
      right: scope.value(pattern ?? right ?? '', node, remarks),
    }),
  }
}

/** The conditions of a filter parameter of version 2; null when it has none. */
export function filterGroup(
  value: unknown,
  node: N8nNode,
  scope: N8nScope,
  remarks: string[],
): ConditionGroup | null {
  if (!isJsonObject(value) || !Array.isArray(value.conditions)) return null
  const { options, combinator } = value
  if (isJsonObject(options) && options.caseSensitive === false)
    remarks.push('It ignored upper and lower case; comparisons here do not.')
  const parts = value.conditions.map((condition): Part => {
    const { leftValue, rightValue, operator } = isJsonObject(condition) ? condition : { operator: 'unknown' }
    const operation = isJsonObject(operator)
      ? textOf(operator.operation ?? 'equals')
      : textOf(operator ?? 'equals')
    return { left: leftValue, operation, right: rightValue }
  })
  return groupOf(parts, combinator === 'or', node, scope, remarks)
}

/** The conditions of version 1, where each type of value has its list; null when there is none. */
export function oldGroup(
  parameters: Record<string, unknown>,
  node: N8nNode,
  scope: N8nScope,
  remarks: string[],
): ConditionGroup | null {
  const { conditions, combineOperation, combineConditions } = parameters
  if (!isJsonObject(conditions)) return null
  const parts = Object.entries(conditions).flatMap(([type, list]) =>
    (Array.isArray(list) ? list : []).map((condition): Part => {
      const { value1, value2, operation } = isJsonObject(condition) ? condition : { operation: 'unknown' }
      return {
        left: value1,
        operation: textOf(operation ?? V1_DEFAULTS[type] ?? 'equal'),
        right: value2 ?? (type === 'boolean' ? false : type === 'number' ? 0 : ''),
      }
    }),
  )
  return groupOf(parts, combineOperation === 'any' || combineConditions === 'OR', node, scope, remarks)
}

function groupOf(
  parts: Part[],
  isAny: boolean,
  node: N8nNode,
  scope: N8nScope,
  remarks: string[],
): ConditionGroup | null {
  if (parts.length === 0) return null
  const conditions = parts.map((part) => conditionOf(part, node, scope, remarks))
  return conditionGroup('n8n', isAny ? 'any' : 'all', conditions, remarks)
}
