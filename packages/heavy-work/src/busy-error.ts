import { DomainError } from '@troupe/contract'

/** The work was never started, because too much of it waits. Answered with 503 and `Retry-After`; it says nothing about the input. */
export class BusyError extends DomainError {
  constructor(message: string) {
    super('service_unavailable', message)
  }
}
