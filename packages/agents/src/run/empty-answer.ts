import { ChatModelError, ONLY_REASONING } from '../ports/chat-models.ts'

/** The error for an answer without content: explained only if it ended at the limit of output tokens. */
export function emptyAnswer(finishReason: string): ChatModelError {
  const message = finishReason === 'length' ? ONLY_REASONING : 'The model returned an empty answer.'
  return new ChatModelError('empty_response', message, finishReason)
}
