import { invalidField, isShown } from '@troupe/contract'

/**
 * Refuses a new invisible name. The stored one is accepted, blank or not: a client that changes another field sends
 * back the name that it has read, which a previous version may have stored.
 *
 * @param name undefined: unchanged
 * @throws DomainError `validation_error`
 */
export function requireShownName(name: string | undefined, before: { name: string }): void {
  if (name === undefined || name === before.name || isShown(name)) return
  throw invalidField('name', 'must not be blank')
}
