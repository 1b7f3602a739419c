/** UTF-8 bytes counted as one token when the model's tokenizer is unavailable. */
const BYTES_PER_TOKEN = 3.5
const MAX_HISTORY_TOKENS = 32_000

/** The bytes of text that fit into a number of tokens. */
export function bytesOf(tokens: number): number {
  return Math.floor(tokens * BYTES_PER_TOKEN)
}

/** The tokens of a number of UTF-8 bytes, rounded up. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}

/** The history of a model with this context window (tokens, null when unknown), in tokens. */
export function historyBudget(contextLength: number | null, configured: number | null): number {
  const half = contextLength === null ? MAX_HISTORY_TOKENS : Math.floor(contextLength / 2)
  return Math.min(half, MAX_HISTORY_TOKENS, configured ?? MAX_HISTORY_TOKENS)
}
