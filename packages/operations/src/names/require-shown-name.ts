import { DomainError, isShown } from '@troupe/contract'

/**
 * Refuses a new name that cannot be seen. The stored one is accepted, blank or not: a client that changes something else sends back what
 * it has read, which a former version may have stored.
 *
 * @param name undefined: it stays
 * @throws DomainError `validation_error`
 */
export function requireShownName(name: string | undefined, before: { name: string }): void {
  if (name === undefined || name === before.name || isShown(name)) return
  throw new DomainError('validation_error', 'The request is not valid.', {
    errors: [{ path: 'name', message: 'must not be blank' }],
  })
}
