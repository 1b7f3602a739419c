/**
 * How an answer in JSON is asked for: `native` gives the schema to the provider in every step, `final_step` works in text
 * and asks for JSON afterwards, `auto` is `native` for an agent without tools.
 */
export type OutputStrategy = 'auto' | 'native' | 'final_step'

/** JSON required of an answer. */
export interface RequestedOutput {
  /** The JSON Schema given to models. */
  schema: Record<string, unknown>
  /** Default: `auto`. */
  strategy?: OutputStrategy
  /** How often an invalid answer is asked for again. Default: 1. */
  maxRepairs?: number
  /**
   * Why a text is not such JSON, in a few words that name the paths; null when it is valid. Must not throw.
   */
  problemOf(text: string): string | null
}
