import { pureHandler } from '../execution/handler.ts'
import { manualTrigger } from './definition.ts'

/** Outputs the payload of the run. */
export const executeManualTrigger = pureHandler(manualTrigger, (_, { scope }) => ({
  status: 'completed',
  output: scope.trigger,
}))
