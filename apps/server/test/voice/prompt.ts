import { expect } from 'vitest'

/** Ceilings on a loaded machine, where the server, both ends and the media servers share two processors; in milliseconds. */
export const CEILINGS_MS = {
  /** From the end of the caller's speech to the first sound of the answer. */
  turn: 3_000,
  medianTurn: 2_000,
  /** From the caller's entry into the room to the agent's first sound. */
  greeting: 5_000,
  /** From the final SIP response to the refusal of the request. */
  failure: 1_500,
  /** From the end of a room to the next session in its slot. */
  slot: 5_000,
}

/**
 * Prints how long each answer of a conversation took, and fails if one of them, or their median, took too long.
 */
export function expectPromptTurns(title: string, latencies: readonly number[]): void {
  process.stdout.write(`${title}, in ms: ${latencies.join(', ')}\n`)
  const sorted = latencies.toSorted((a, b) => a - b)
  expect(sorted.at(-1)).toBeLessThanOrEqual(CEILINGS_MS.turn)
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(CEILINGS_MS.medianTurn)
}
