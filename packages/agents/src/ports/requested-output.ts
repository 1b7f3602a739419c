/**
 * The strategy for a JSON answer: `native` gives the schema to the provider in every step, `final_step` works in text
 * and requests JSON afterwards, `auto` is `native` for an agent without tools.
 */
export type OutputStrategy = 'auto' | 'native' | 'final_step'

/** JSON required of an answer. */
export interface RequestedOutput {
  /** The JSON Schema given to models. */
  schema: Record<string, unknown>
  /** Default: `auto`. */
  strategy?: OutputStrategy
  /** Maximum repeated requests after an invalid answer. Default: 1. */
  maxRepairs?: number
  /** Why a text is not such JSON, in a few words that name the paths; null if it is valid. Must not throw. */
  problemOf(text: string): string | null
}
