import { DomainError } from '@troupe/contract'

/** Whether an attempt ended because the server was too busy: nothing was compared, so it does not count as a guess. */
export function wasNotTried(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'service_unavailable'
}
