import { pureHandler } from '../execution/handler.ts'
import { httpRequest } from './definition.ts'

/** Outputs the payload of the run. */
export const executeHttpRequest = pureHandler(httpRequest, (_, { scope }) => ({
  status: 'completed',
  output: scope.trigger,
}))
