import type { RunStore } from '../ports/run-store.ts'

const LOST = {
  errorCode: 'upstream_error',
  errorMessage: 'The server that executed this run stopped unexpectedly.',
} as const

/**
 * Ends the synchronous and streaming runs of a dead process, which are bound to that process and never resumed. With
 * `all`, the caller asserts that no other process uses the database, so every running row is lost. Returns the number
 * of ended runs.
 */
export function endLostRuns(store: Pick<RunStore, 'failLost'>, { all }: { all: boolean }): Promise<number> {
  return store.failLost({ all, ...LOST })
}
