import { jsonAnswer } from '@troupe/json-schema'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { RequestedOutput } from '../ports/requested-output.ts'

/** The JSON that an agent's configuration requires of every answer; null for text. */
export function configuredOutput({ config }: Pick<AgentSnapshot, 'config'>): RequestedOutput | null {
  const { mode, schema, strategy, max_repairs } = config.execution.output
  if (mode === 'text' || schema === null) return null
  return { ...jsonAnswer(schema), strategy, maxRepairs: max_repairs }
}
