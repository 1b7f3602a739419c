import { DomainError } from '@troupe/contract'

/** The work was never started, because too much of it waits. Answered with 503 and `Retry-After`; it says nothing about the input. */
export class BusyError extends DomainError {
  constructor(message: string) {
    super('service_unavailable', message)
  }
}

/** For work that ends with its server, or was refused by one that is stopping. */
export function stopping(): BusyError {
  return new BusyError('The server is stopping. Nothing was done. Please try again in a moment.')
}
