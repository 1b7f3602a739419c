import { DomainError } from '@troupe/contract'

/** Characters of path and query together. */
export const LONGEST_URL = 8_192

/** What the sender of a longer one is told. */
export function uriTooLong(): DomainError {
  return new DomainError('uri_too_long', `The URL must have at most ${LONGEST_URL} characters.`)
}
