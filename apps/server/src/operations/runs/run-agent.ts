import type { AgentRunBody, AgentRunResult } from '@troupe/contract'
import type { AgentRunner } from '@troupe/runtime'
import { agentRunRequest, type RunCall } from './agent-run-request.ts'

/**
 * Runs an agent and waits for its answer.
 *
 * @throws DomainError with any code of the operation.
 */
export async function runAgent(
  { runner }: { runner: AgentRunner },
  call: RunCall,
  body: AgentRunBody,
): Promise<AgentRunResult> {
  return runner.run(agentRunRequest(call, body, 'api_sync'))
}
