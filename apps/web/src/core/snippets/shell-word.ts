/** A text as one word of a POSIX shell: between single quotes, where a shell replaces nothing. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
