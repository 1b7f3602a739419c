import { DomainError } from '@troupe/contract'

/** The error for a run id: one text for unknown, foreign and malformed ids, and for runs of members. */
export function observedRunNotFound(): DomainError {
  return new DomainError('run_not_found', 'Run not found in this organization.')
}

/** The error for pausing or resuming a run of an agent or a team. */
export function onlyWorkflows(what: string): DomainError {
  return new DomainError('invalid_state', `Only runs of workflows can be ${what}.`)
}
