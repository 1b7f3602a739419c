import { DomainError, oneLine, type UserId } from '@troupe/contract'
import { LONGEST_PERSON_NAME } from '@troupe/contract/builder'
import type { Database } from '@troupe/storage'

/**
 * Renames a person.
 *
 * @param sent the name as typed
 * @returns the stored name, on one line
 * @throws DomainError `validation_error` with `name` when the rest is empty or too long
 */
export async function renamePerson(
  { transaction }: Pick<Database, 'transaction'>,
  { userId }: { userId: UserId },
  sent: string,
): Promise<{ name: string }> {
  const name = oneLine(sent)
  if (name === '' || name.length > LONGEST_PERSON_NAME) {
    const message = `must have 1 to ${LONGEST_PERSON_NAME} characters`
    throw new DomainError('validation_error', 'The request is not valid.', {
      errors: [{ path: 'name', message }],
    })
  }
  await transaction(({ write }) => write.users.rename(userId, name))
  return { name }
}
