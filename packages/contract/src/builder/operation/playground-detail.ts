import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'

/** `?detail=` of the playground, which shows everything of a run unless the reader wants less. */
export const playgroundDetail = {
  detail: Type.Optional(Choice(['answer', 'standard', 'full'], { default: 'full' })),
}
