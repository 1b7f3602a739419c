import type { RunStore } from '../ports/run-store.ts'

const LOST = {
  errorCode: 'upstream_error',
  errorMessage: 'The server that executed this run stopped unexpectedly.',
} as const

/**
 * Ends the synchronous and streaming runs whose process died; they live in one process and never go on. `all` says that
 * no other process can use the database, so that every running row is a lost one. Returns how many.
 */
export function endLostRuns(store: Pick<RunStore, 'failLost'>, { all }: { all: boolean }): Promise<number> {
  return store.failLost({ all, ...LOST })
}
