import { pureHandler } from '../execution/handler.ts'
import { formTrigger } from './definition.ts'

/** Gives what was submitted. */
export const executeFormTrigger = pureHandler(formTrigger, (_, { scope }) => ({
  status: 'completed',
  output: scope.trigger,
}))
