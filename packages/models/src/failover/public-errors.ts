import { ChatModelError } from '@troupe/agents/ports'
import { MAX_ANSWER, MAX_TOOL_INPUT } from './answer-size.ts'
import type { AttemptFailure } from './attempt-failure.ts'

const SENTENCES: Record<string, string> = {
  http_401: 'The model provider refused the credentials of the LLM configuration.',
  http_402: 'The account at the model provider has no credit left.',
  http_403: 'The model provider refused access with the credentials of the LLM configuration.',
  http_429: 'The model provider is limiting requests; try again later.',
  address_not_allowed:
    'The address of the LLM configuration is not allowed here: the operator must add its network to TROUPE_ALLOWED_NETWORKS.',
  timeout: 'The model did not answer in time.',
  network: 'The model provider could not be reached.',
  context_overflow: 'The conversation is longer than the model can read.',
  content_refused: 'The model provider refused the request because of its content policy.',
  model_not_found: 'The model provider does not know the configured model.',
  unexpected_body: 'What answers at the base URL of the LLM configuration is not a model.',
  answer_cut: "The model's answer was cut off.",
  model_refused: 'The model refused to answer.',
  empty_response: 'The model gave an empty answer.',
  answer_too_large: `The answer of the model was too large: at most ${MAX_ANSWER} characters of text, and ${MAX_TOOL_INPUT} for the arguments of a tool.`,
  invalid_request: 'The request could not be expressed for the configured model.',
}

/** The error for a call that no model answered: fatal failures are surfaced unchanged, others become exhausted. */
export function callFailed(failure: AttemptFailure, log: string): ChatModelError {
  const sentence = withReason(SENTENCES[failure.errorCode], failure.publicReason)
  if (failure.kind === 'fatal') {
    return new ChatModelError('fatal', sentence ?? 'The model provider refused the request as invalid.', log)
  }
  const code = failure.errorCode === 'empty_response' ? 'empty_response' : 'exhausted'
  return new ChatModelError(code, sentence ?? 'The model provider answered with an error.', log)
}

function withReason(sentence: string | undefined, reason: string | null): string | undefined {
  return reason === null || !sentence ? sentence : `${sentence.slice(0, -1)}: ${reason}.`
}

/** The error for an answer that broke off after some of its parts were delivered. */
export function answerBroke(failure: AttemptFailure, log: string): ChatModelError {
  const reason = failure.errorCode === 'answer_cut' ? failure.publicReason : null
  return new ChatModelError('stream_broken', withReason(SENTENCES.answer_cut, reason) ?? '', log)
}

/** The error when the run has no time left for a first attempt. */
export function noTimeLeft(log: string): ChatModelError {
  return new ChatModelError('exhausted', 'There was no time left to ask the model.', log)
}
