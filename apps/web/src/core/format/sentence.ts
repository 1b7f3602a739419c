/** The problem of a field, as sent by the server after the field's path ("must not be blank"), as a complete sentence. */
export function asSentence(message: string | null): string | null {
  if (message === null || message === '') return null
  const end = /[\p{L}\p{N})\]"”’'`]$/u.test(message) ? '.' : ''
  return message.charAt(0).toUpperCase() + message.slice(1) + end
}
