/** JSON that an answer must be. */
export interface RequestedOutput {
  /** JSON Schema that models are given. */
  schema: Record<string, unknown>
  /** What keeps a text from being such JSON, in a few words that name the paths; null when nothing does. Must not throw. */
  problemOf(text: string): string | null
}
