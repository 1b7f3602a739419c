import { DomainError } from '@troupe/contract'

/** Refuses a change that the run's status does not allow. */
export function wrongRunStatus(what: string, status: string): DomainError {
  return new DomainError('invalid_state', `The run cannot be ${what}: it is ${status}.`)
}
