import { type DispatchParts, sendDeliveries } from './send-delivery.ts'
import { DISPATCH_SECONDS, REDELIVER_SECONDS, type TurnStore } from './turn-store.ts'

/** Dependencies of the sweep of a lane. */
export interface SweepParts extends Omit<DispatchParts, 'store'> {
  store: Pick<TurnStore<never, unknown>, 'dispatched' | 'sweep'>
}

/**
 * One sweep of a lane: ends rows that waited too long or were lost for good, and sends due deliveries to the
 * engine. `queueSeconds` is how long a dispatched row may wait for a worker. Throws only when the database
 * fails.
 *
 * After a database outage this process's own leases have expired too: renew them before sweeping.
 */
export async function sweepTurns(parts: SweepParts, queueSeconds: number): Promise<void> {
  const due = await parts.store.sweep({
    dispatchSeconds: DISPATCH_SECONDS,
    queueSeconds,
    redeliverSeconds: REDELIVER_SECONDS,
  })
  await sendDeliveries(parts, due)
}
