import type { AgentConfig } from '@troupe/contract'
import { jsonAnswer } from '@troupe/json-schema'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { RequestedOutput } from '../ports/requested-output.ts'

/** The JSON that an `output` configuration requires of every answer; null for text. */
export function requestedOutput(output: AgentConfig['execution']['output']): RequestedOutput | null {
  const { mode, schema, strategy, max_repairs } = output
  if (mode === 'text' || schema === null) return null
  return { ...jsonAnswer(schema), strategy, maxRepairs: max_repairs }
}

/** The same for an agent. */
export function configuredOutput({ config }: Pick<AgentSnapshot, 'config'>): RequestedOutput | null {
  return requestedOutput(config.execution.output)
}
