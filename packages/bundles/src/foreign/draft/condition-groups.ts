import { MAX_CONDITIONS } from '@troupe/nodes/conditions'
import { marker } from './marker.ts'
import type { SourceFormat } from './report.ts'

/** A group of conditions in the format of an If / Else. */
export interface ConditionGroup {
  match: 'all' | 'any'
  conditions: Record<string, unknown>[]
}

/** A condition that fails the run, in place of one without a counterpart: a text is not a boolean. */
export const unknownCondition = (format: SourceFormat, words: string) => ({
  left: marker(format, words),
  op: 'is_true',
})

/** Conditions as one group, or as nested groups if one group is too small. Conditions beyond that limit fail the run. */
export function conditionGroup(
  format: SourceFormat,
  match: 'all' | 'any',
  conditions: Record<string, unknown>[],
  remarks: string[],
): ConditionGroup {
  if (conditions.length <= MAX_CONDITIONS) return { match, conditions }
  const most = MAX_CONDITIONS * MAX_CONDITIONS
  if (conditions.length > most) {
    remarks.push(
      `It has ${conditions.length} conditions. A step has at most ${most}, so runs fail at this one.`,
    )
    return { match, conditions: [unknownCondition(format, `${conditions.length} conditions`)] }
  }
  const groups: ConditionGroup[] = []
  for (let at = 0; at < conditions.length; at += MAX_CONDITIONS)
    groups.push({ match, conditions: conditions.slice(at, at + MAX_CONDITIONS) })
  return { match, conditions: groups.map((group) => ({ ...group })) }
}
