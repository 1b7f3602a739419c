import type { PasswordHashes } from '@troupe/secrets'

/** The password that a publish gives a form, hashed before its transaction. */
export interface GivenFormPassword {
  text: string
  /** The stored one when the password is the stored one. */
  passwordHash: string
}

/**
 * Not within a transaction: it waits for its turn.
 *
 * @param stored the hash of the form's password; null when it has none
 * @throws BusyError when too many passwords are being hashed
 */
export async function hashFormPassword(
  passwords: PasswordHashes,
  text: string,
  stored: string | null,
): Promise<GivenFormPassword> {
  const isStored = stored !== null && (await passwords.matches(text, stored))
  return { text, passwordHash: isStored ? stored : await passwords.hash(text) }
}
