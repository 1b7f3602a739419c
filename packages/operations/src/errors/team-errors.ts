import { DomainError } from '@troupe/contract'

/** Also for malformed ids and for teams of other organizations: all look the same. */
export function teamNotFound(): DomainError {
  return new DomainError('team_not_found', 'There is no such team in this organization.')
}

export function teamForbidden(): DomainError {
  return new DomainError('forbidden', 'The team does not belong to the project of this API key.')
}

/** No version with this id, or one of another team. */
export function teamVersionNotFound(): DomainError {
  return new DomainError('version_not_found', 'There is no such version of this team.')
}
