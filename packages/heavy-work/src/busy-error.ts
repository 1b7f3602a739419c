import { DomainError } from '@troupe/contract'

/** The work was never started, because too much of it is queued. Returned as 503 with `Retry-After`; it does not concern the input. */
export class BusyError extends DomainError {
  constructor(message: string) {
    super('service_unavailable', message)
  }
}

/** For work that ends with its server, or was refused by a stopping server. */
export function stopping(): BusyError {
  return new BusyError('The server is stopping. Nothing was done. Please try again in a moment.')
}
