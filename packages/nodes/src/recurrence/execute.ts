import { pureHandler } from '../execution/handler.ts'
import { recurrence } from './definition.ts'

/** A scheduled run has an empty payload. */
export const executeRecurrence = pureHandler(recurrence, () => ({ status: 'completed', output: {} }))
