import { DomainError } from '@troupe/contract'

/** A request over a limit. */
export class RateLimitedError extends DomainError {
  /** Whole seconds until the window ends; at least 1. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number) {
    super('rate_limit_exceeded', message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}
