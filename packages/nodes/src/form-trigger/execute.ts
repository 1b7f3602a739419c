import { pureHandler } from '../execution/handler.ts'
import { formTrigger } from './definition.ts'

/** Outputs the submitted values. */
export const executeFormTrigger = pureHandler(formTrigger, (_, { scope }) => ({
  status: 'completed',
  output: scope.trigger,
}))
