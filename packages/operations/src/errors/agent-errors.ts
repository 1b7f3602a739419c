import { DomainError } from '@troupe/contract'

/** Also for malformed ids and for agents of other organizations: all look the same. */
export function agentNotFound(): DomainError {
  return new DomainError('agent_not_found', 'There is no such agent in this organization.')
}

export function agentForbidden(): DomainError {
  return new DomainError('forbidden', 'The agent does not belong to the project of this API key.')
}
