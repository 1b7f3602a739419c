import { DomainError } from '@troupe/contract'

/** One text for every token without a live form. */
export function formNotFound(): DomainError {
  return new DomainError('form_not_found', 'There is no published form at this address.')
}
