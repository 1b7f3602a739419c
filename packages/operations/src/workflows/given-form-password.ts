import type { PasswordHashes } from '@troupe/secrets'

/** The password for a form in a publish, hashed before its transaction. */
export interface GivenFormPassword {
  text: string
  /** The stored hash if the password is unchanged. */
  passwordHash: string
}

/**
 * Call it outside transactions: it queues.
 *
 * @param stored the hash of the form's password; null if it has none
 * @throws BusyError if too many passwords are being hashed
 */
export async function hashFormPassword(
  passwords: PasswordHashes,
  text: string,
  stored: string | null,
): Promise<GivenFormPassword> {
  const isStored = stored !== null && (await passwords.matches(text, stored))
  return { text, passwordHash: isStored ? stored : await passwords.hash(text) }
}
