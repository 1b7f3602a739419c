import { NODE_TYPES } from '@troupe/nodes/definitions'
import { stepPlace, titleOf } from './findings.ts'

/** The form's label of a path below a node; null if its type has none. */
export function fieldTitle(type: string, path: string): string | null {
  return titleOf(stepPlace(NODE_TYPES.get(type)?.schema ?? {}, path))
}

/** The title of a type of steps; an unknown one is shown unchanged. */
export function typeTitle(type: string): string {
  return NODE_TYPES.get(type)?.title ?? type
}

/** The type whose form has a setting: a step that became another type loses settings of its previous one. */
export function typeWithSetting(types: readonly string[], path: string): string {
  return types.find((type) => fieldTitle(type, path) !== null) ?? types[0] ?? ''
}
