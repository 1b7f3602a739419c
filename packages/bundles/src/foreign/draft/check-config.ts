import { NODE_TYPES } from '@troupe/nodes/definitions'
import type { Conversion } from './conversion.ts'

/** Fields that a person must choose, so they may be missing. */
const TO_CHOOSE = new Set(['agentId', 'teamId'])

/** The reason that steps of a conversion could not be published; null when only a choice is missing. */
export function blockingFault({ steps }: Conversion): string | null {
  for (const { type, config } of steps) {
    const problems = NODE_TYPES.get(type)?.check(config) ?? []
    const problem = problems.find(({ severity, path }) => severity === 'block' && !TO_CHOOSE.has(path))
    if (problem) return `${problem.path} ${problem.message}`
  }
  return null
}
