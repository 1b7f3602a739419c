import type { AgentId, AnyVersionId, IdText } from '@troupe/contract'
import type { AgentPrompt } from '@troupe/contract/builder'
import type { ConfigContent } from '@troupe/editor/values/config-content'
import { useEffect, useRef, useState } from 'react'
import { asCallFailure, type CallFailure } from '../../../infrastructure/client/call-failure.ts'
import { useCalls } from '../../../infrastructure/queries/use-calls.ts'

/** The prompt, as far as the server has responded. */
export interface ShownPrompt {
  /** The last response; kept while the next request is in progress. null: none, or no message. */
  prompt: AgentPrompt | null
  failure: CallFailure | null
  isAsking: boolean
}

const ASK_AFTER_MS = 600
const NOTHING: ShownPrompt = { prompt: null, failure: null, isAsking: false }

/** The conversation that the message continues. */
interface PromptConversation {
  sessionId: string
  /** The user whose memories are used; null: none. */
  userId: string | null
}

export interface AgentPromptQuestion {
  /** The unsaved edit; null: the saved state. */
  draft: ConfigContent | null
  versionId: IdText<AnyVersionId>
  message: string
  /** null: the message starts a conversation. */
  conversation: PromptConversation | null
}

/**
 * The prompt of an agent for a message, debounced after the last change.
 *
 * @param isEnabled false: send no request, for example while the edit is invalid
 */
export function useAgentPrompt(
  agentId: IdText<AgentId>,
  { draft, versionId, message, conversation }: AgentPromptQuestion,
  isEnabled: boolean,
): ShownPrompt {
  const { sessionId, userId } = conversation ?? { sessionId: null, userId: null }
  const calls = useRef(useCalls())
  const [shown, setShown] = useState<ShownPrompt>({ ...NOTHING, isAsking: isEnabled })
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version needs a new prompt
  useEffect(() => {
    if (message === '') setShown(NOTHING)
    if (!isEnabled || message === '') return
    const stop = new AbortController()
    const ask = async () => {
      setShown((before) => ({ ...before, isAsking: true }))
      try {
        const prompt = await calls.current.send(
          'showAgentPrompt',
          {
            params: { agentId },
            body: {
              message,
              ...(draft === null ? {} : { draft }),
              ...(sessionId === null ? {} : { sessionId }),
              ...(userId === null ? {} : { userId }),
            },
          },
          { signal: stop.signal },
        )
        setShown({ prompt, failure: null, isAsking: false })
      } catch (error) {
        const failure = asCallFailure(error)
        if (failure.code !== 'aborted') setShown((before) => ({ ...before, failure, isAsking: false }))
      }
    }
    const timer = setTimeout(() => void ask(), isFirst.current ? 0 : ASK_AFTER_MS)
    isFirst.current = false
    return () => {
      clearTimeout(timer)
      stop.abort()
      setShown((before) => ({ ...before, isAsking: false }))
    }
  }, [agentId, draft, versionId, message, sessionId, userId, isEnabled])
  return shown
}
