import { OPERATORS, UNARY_OPERATORS } from '@troupe/contract'
import type { ConfigProblem, TemplateField } from '@troupe/graph'
import { patternFault } from '@troupe/json-schema'
import { Type } from 'typebox'
import { OneOf } from './fields.ts'
import { isObject } from './fill-defaults.ts'
import type { FormHint } from './form-hint.ts'
import { blockingProblem, objectsIn } from './problems.ts'

/** Maximum nesting of groups of conditions, including the outermost. */
export const MAX_CONDITION_DEPTH = 3
/** Maximum entries of one group. */
export const MAX_CONDITIONS = 50

/** The keys of a group of conditions; `conditionProblems` checks its entries. */
export const conditionGroup = {
  match: OneOf(
    { all: 'Every condition holds', any: 'At least one condition holds' },
    { title: 'True when', default: 'all' },
  ),
  conditions: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: 100 }), {
    title: 'Conditions',
    minItems: 1,
    maxItems: MAX_CONDITIONS,
    form: { control: 'conditions' },
  }),
}

/** A group of conditions as one key of a config; null for none. */
export const conditionField = (when: NonNullable<FormHint['when']>) =>
  Type.Unsafe<Record<string, unknown> | null>({
    ...Type.Object(conditionGroup),
    type: ['object', 'null'],
    title: 'Condition',
    form: { control: 'conditions', when },
  })

const at = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)
const isGroup = (entry: Record<string, unknown>) => Object.hasOwn(entry, 'conditions')

/** The templates of a group, including nested groups. Never throws. */
export function conditionTemplates(group: unknown, path: string, depth = 1): TemplateField[] {
  if (!isObject(group) || depth > MAX_CONDITION_DEPTH) return []
  return objectsIn(group.conditions).flatMap(([index, entry]) => {
    const place = at(path, `conditions.${index}`)
    if (isGroup(entry)) return conditionTemplates(entry, place, depth + 1)
    const isUnary = typeof entry.op === 'string' && UNARY_OPERATORS.has(entry.op)
    const mayBeMissing = entry.op === 'exists' || entry.op === 'not_exists'
    const testsValue = mayBeMissing || entry.op === 'is_empty' || entry.op === 'is_not_empty'
    return (isUnary ? ['left'] : ['left', 'right']).flatMap((key) =>
      entry[key] === undefined || entry[key] === null
        ? []
        : [
            {
              path: `${place}.${key}`,
              value: entry[key],
              ...(mayBeMissing && { mayBeMissing }),
              ...(testsValue && { testsValue }),
            },
          ],
    )
  })
}

function entryProblems(entry: Record<string, unknown>, path: string): ConfigProblem[] {
  const { left, op, right } = entry
  const known = OPERATORS.find((operator) => operator === op)
  const isPattern = known === 'matches' && typeof right === 'string' && !right.includes('{{')
  const fault = isPattern ? patternFault(right) : null
  return [
    ...(left === undefined ? [blockingProblem(`${path}.left`, 'is required')] : []),
    ...(known ? [] : [blockingProblem(`${path}.op`, `must be one of: ${OPERATORS.join(', ')}`)]),
    ...(fault === null ? [] : [blockingProblem(`${path}.right`, fault)]),
  ]
}

function nestedProblems(group: Record<string, unknown>, path: string, depth: number): ConfigProblem[] {
  if (depth > MAX_CONDITION_DEPTH)
    return [blockingProblem(path, `must be nested at most ${MAX_CONDITION_DEPTH} levels deep`)]
  const { match, conditions } = group
  const size = Array.isArray(conditions) ? conditions.length : 0
  return [
    ...(match === undefined || match === 'all' || match === 'any'
      ? []
      : [blockingProblem(`${path}.match`, 'must be one of: all, any')]),
    ...(size >= 1 && size <= MAX_CONDITIONS
      ? []
      : [blockingProblem(`${path}.conditions`, `must have 1 to ${MAX_CONDITIONS} conditions`)]),
    ...conditionProblems(group, path, depth),
  ]
}

/** Problems of the entries of a group. Never throws. */
export function conditionProblems(group: unknown, path: string, depth = 1): ConfigProblem[] {
  if (!isObject(group) || !Array.isArray(group.conditions)) return []
  return group.conditions.flatMap((entry: unknown, index) => {
    const place = at(path, `conditions.${index}`)
    if (!isObject(entry)) return [blockingProblem(place, 'must be an object')]
    return isGroup(entry) ? nestedProblems(entry, place, depth + 1) : entryProblems(entry, place)
  })
}
