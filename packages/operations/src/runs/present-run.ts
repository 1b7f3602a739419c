import type { ListedRun } from '@troupe/contract/builder'
import type { RunOverview } from '@troupe/storage'

const seconds = (ms: number) => Math.floor(ms / 1000)
const orNull = (ms: number | null) => (ms === null ? null : seconds(ms))

/** A run as lists show it. */
export function presentRun(run: RunOverview): ListedRun {
  const { entityId, entityName, errorCode, error, createdAt, startedAt, completedAt, costMicros, ...same } =
    run
  return {
    ...same,
    entity: { id: entityId, name: entityName },
    error: error === null && errorCode === null ? null : { code: errorCode, message: error ?? '' },
    createdAt: seconds(createdAt),
    startedAt: orNull(startedAt),
    completedAt: orNull(completedAt),
    durationMs: completedAt === null ? null : Math.max(0, completedAt - (startedAt ?? createdAt)),
    costUsd: usd(costMicros),
  }
}

/** Millionths of a US dollar as dollars. */
export function usd(micros: number | null): number | null {
  return micros === null ? null : micros / 1_000_000
}
