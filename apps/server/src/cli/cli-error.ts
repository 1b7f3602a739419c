/** A command cannot do its work; the text is for people and complete. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
