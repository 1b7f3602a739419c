import { DomainError } from '@troupe/contract'

/** The limit of a key's concurrent sessions in the browser. */
export const SESSIONS_PER_KEY = 5

/** One message for every cause: host names and faults of the media server are for the log. */
export const UNAVAILABLE_MESSAGE = 'Voice is temporarily unavailable. Try again shortly.'

export function voiceUnavailable(internal: string, cause?: unknown): DomainError {
  return new DomainError('voice_infrastructure_unavailable', UNAVAILABLE_MESSAGE, { internal, cause })
}

export function noUsableKey(): DomainError {
  const message = 'The voice configuration of this agent has no usable credential for its provider.'
  return new DomainError('voice_configuration_not_found', message)
}

export function tooManySessions(): DomainError {
  return new DomainError(
    'concurrent_session_limit',
    `This API key already has ${SESSIONS_PER_KEY} active voice sessions.`,
  )
}
