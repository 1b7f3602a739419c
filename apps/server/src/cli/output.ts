/** The output streams of a command. */
export interface Output {
  /** Results. */
  out(text: string): void
  /** Messages and errors. */
  err(text: string): void
}
