/** JSON required of an answer. */
export interface RequestedOutput {
  /** The JSON Schema given to models. */
  schema: Record<string, unknown>
  /**
   * Why a text is not such JSON, in a few words that name the paths; null when it is valid. Must not throw.
   */
  problemOf(text: string): string | null
}
