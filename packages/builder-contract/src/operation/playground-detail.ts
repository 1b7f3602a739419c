import { Choice } from '@troupe/contract'
import { Type } from 'typebox'

/** `?detail=` of the playground, which shows everything of a run unless the reader wants less. */
export const playgroundDetail = {
  detail: Type.Optional(Choice(['answer', 'standard', 'full'], { default: 'full' })),
}
