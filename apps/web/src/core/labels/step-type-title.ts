import { STEP_TYPE_TITLES } from '../nodes/node-types.ts'

/** The title of a type of step, for pages that do not load the definitions. */
export function stepTypeTitle(type: string): string {
  return (
    STEP_TYPE_TITLES[type] ?? type.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
  )
}
