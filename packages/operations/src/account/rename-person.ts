import { invalidField, oneLine, type UserId } from '@troupe/contract'
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
    throw invalidField('name', `must have 1 to ${LONGEST_PERSON_NAME} characters`)
  }
  await transaction(({ write }) => write.users.rename(userId, name))
  return { name }
}
