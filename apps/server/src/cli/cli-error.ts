/** A command failed; the message is complete and written for the operator. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
