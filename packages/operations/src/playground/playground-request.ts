import type { RunRequest } from '@troupe/agents'
import type { Clock, RunnableKind } from '@troupe/agents/ports'
import type { AgentRunBody, TeamRunBody } from '@troupe/contract'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { runRequest } from '../runs/run-call.ts'

/** The request for a builder's run: without an API key, and not limited to a project. */
export function playgroundRequest(
  clock: Clock,
  { organizationId }: BuilderCaller,
  runnable: { kind: RunnableKind; id: string },
  body: AgentRunBody | TeamRunBody,
): RunRequest {
  const call = {
    principal: { organizationId, projectId: null, keyId: null },
    kind: runnable.kind,
    entityId: runnable.id,
    acceptedAt: clock.now(),
    path: '',
    idempotencyKey: null,
  }
  return runRequest(call, body, 'playground')
}
