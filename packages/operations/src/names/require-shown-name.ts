import { invalidField, isShown } from '@troupe/contract'

/**
 * Refuses a new name without visible characters. An unchanged name is accepted even if it is blank: a client that
 * changes another field sends the stored name back, which an earlier version may have allowed.
 *
 * @param name undefined: unchanged
 * @throws DomainError `validation_error`
 */
export function requireShownName(name: string | undefined, before: { name: string }): void {
  if (name === undefined || name === before.name || isShown(name)) return
  throw invalidField('name', 'must not be blank')
}
