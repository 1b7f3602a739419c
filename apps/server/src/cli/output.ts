/** Where a command writes. */
export interface Output {
  /** Results. */
  out(text: string): void
  /** Everything else. */
  err(text: string): void
}
