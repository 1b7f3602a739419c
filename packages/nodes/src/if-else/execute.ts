import type { Compared } from '../conditions/evaluate.ts'
import { pureHandler } from '../execution/handler.ts'
import { holds } from '../execution/holds.ts'
import { ifElse } from './definition.ts'

/** Evaluates the conditions in order, with short-circuiting. */
export const executeIfElse = pureHandler(ifElse, (config, { scope }) => {
  const compared: Compared[] = []
  const branch = holds(config, scope, compared) ? 'true' : 'false'
  return { result: { status: 'completed', output: { branch }, handles: [branch] }, input: compared }
})
