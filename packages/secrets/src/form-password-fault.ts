const MAX_BYTES = 72

/** The reason that a text is not an acceptable form password; null when it is. */
export function formPasswordFault(password: string): string | null {
  if (password === '') return 'must not be empty'
  if (password.includes('\0')) return 'must not contain NUL characters'
  return Buffer.byteLength(password) > MAX_BYTES ? `must have at most ${MAX_BYTES} bytes in UTF-8` : null
}
