import { DomainError } from '@troupe/contract'

/** Whether an attempt ended because the server had no time for it: nothing was compared, so it was no guess. */
export function wasNotTried(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'service_unavailable'
}
