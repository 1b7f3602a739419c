import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'

/** `?detail=` of the playground; by default everything in a run. */
export const playgroundDetail = {
  detail: Type.Optional(Choice(['answer', 'standard', 'full'], { default: 'full' })),
}
