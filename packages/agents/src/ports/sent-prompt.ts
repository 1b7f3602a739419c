/** A message of a prompt as people may read it: without reasoning and other state of its provider. */
export interface SentMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** A long text is truncated, with a note at its end. */
  text: string
  /** The calls that the message makes, with their arguments as JSON. */
  calls?: readonly { name: string; arguments: string }[]
}

/** The prompt of one model call, by the numbers of its messages in the run. */
export interface SentPrompt {
  id: string
  /** Ranges `[from, end)` of numbers, in the order of the prompt. */
  messages: readonly (readonly [from: number, end: number])[]
  /** Names of the offered tools. */
  tools: readonly string[]
  /** `auto`, `required`, `none` or the name of the required tool; null: unset. */
  toolChoice: string | null
  /** Whether JSON was requested. */
  isJson: boolean
  /** Messages at the end of the prompt that are not kept, because the run has reached its limit. */
  leftOut: number
}

/**
 * The prompts of a run, or of a part of it, as they are stored. Each message is stored once, regardless of the calls it
 * was sent in: prompts name messages of this part and of earlier parts of the same series.
 */
export interface StoredPrompts {
  /** Identifies the process that worked on the run: another process starts its own numbering. */
  series: string
  part: number
  /** The number of the first of `messages`. */
  from: number
  messages: readonly SentMessage[]
  prompts: readonly SentPrompt[]
}
