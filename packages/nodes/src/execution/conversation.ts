import type { InterpolationScope } from '@troupe/graph'
import {
  type ChildRunRequest,
  type EffectExecution,
  type ExecutedNode,
  NodeFailure,
  type NodeTrace,
} from '@troupe/workflows/ports'
import { MAX_IDENTITY, MAX_MESSAGE } from '../definition/conversation.ts'
import { replyValue } from './reply-value.ts'
import { optionalTextWithin, textWithin } from './resolve-field.ts'

/** The resolved request to an agent or team. */
export interface Conversation {
  request: Omit<ChildRunRequest, 'retry'>
  /** Set for an agent whose reply is JSON. */
  outputSchema: Record<string, unknown> | null
  onUnsuccessful: 'continue' | 'fail'
}

interface ConversationConfig {
  message: string
  sessionId: string | null
  userId: string | null
}

/** Resolves the common fields of requests to agents and teams. */
export function conversationInput(
  { message, sessionId, userId }: ConversationConfig,
  scope: InterpolationScope,
) {
  return {
    message: textWithin(message, 'message', scope, MAX_MESSAGE),
    sessionId: optionalTextWithin(sessionId, 'sessionId', scope, MAX_IDENTITY),
    userId: optionalTextWithin(userId, 'userId', scope, MAX_IDENTITY),
  }
}

/** The trace of a request. */
export function conversationTrace({ request }: Pick<Conversation, 'request'>) {
  const { entityId, message, sessionId, userId } = request
  return { entityId, message, sessionId, userId }
}

/** Runs an agent or a team and returns its answer, or the JSON in it. Throws NodeFailure if there is none. */
export async function converse(
  { request, outputSchema, onUnsuccessful }: Conversation,
  { services, retry }: EffectExecution,
): Promise<ExecutedNode> {
  const outcome = await services.runChild({ ...request, retry })
  const { inputTokens, outputTokens, runId } = outcome
  const trace: NodeTrace = {
    input: conversationTrace({ request }),
    agentRunId: runId,
    inputTokens,
    outputTokens,
    ...(outcome.ok && outcome.note ? { note: outcome.note } : {}),
  }
  if (!outcome.ok) throw new NodeFailure(outcome.message, trace)
  if (!outcome.success && onUnsuccessful === 'fail') {
    throw new NodeFailure(`the ${request.kind} reported that it did not succeed`, trace)
  }
  const output = replyValue(outcome.content, outputSchema, trace)
  return { ...trace, result: { status: 'completed', output } }
}
