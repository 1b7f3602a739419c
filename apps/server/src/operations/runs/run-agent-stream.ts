import type { AgentStreamBody, StreamEvent } from '@troupe/contract'
import type { AgentRunner, StreamStart } from '@troupe/runtime'
import { agentRunRequest, type RunCall } from './agent-run-request.ts'

/**
 * Starts a streaming run; the listener gets its events as they arise.
 *
 * @throws DomainError with any code of the operation; afterwards failures are events.
 */
export async function runAgentStream(
  { runner }: { runner: AgentRunner },
  call: RunCall,
  body: AgentStreamBody,
  listener: (event: StreamEvent) => void,
): Promise<StreamStart> {
  return runner.stream(agentRunRequest(call, body, 'api_stream'), listener)
}
