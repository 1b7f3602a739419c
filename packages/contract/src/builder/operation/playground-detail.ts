import { Type } from 'typebox'
import { Choice } from '../../schema/choice.ts'

/** `?detail=` of the playground: everything of a run by default. */
export const playgroundDetail = {
  detail: Type.Optional(Choice(['answer', 'standard', 'full'], { default: 'full' })),
}
