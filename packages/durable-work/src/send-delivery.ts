import { type Delivery, EngineUnreachable, type RunEngine } from './run-engine.ts'
import { REDELIVER_SECONDS, type TurnStore } from './turn-store.ts'
import type { TurnTelemetry } from './turn-telemetry.ts'

/** Dependencies of sending a delivery: the engine, and the rows of the delivery's lane. */
export interface DispatchParts {
  engine: Pick<RunEngine, 'dispatch'>
  store: Pick<TurnStore<never, unknown>, 'dispatched'>
  telemetry: TurnTelemetry
}

/**
 * Sends a delivery for immediate pickup, or for pickup no earlier than `dueAt` (milliseconds since the
 * epoch), then records that the engine has accepted it. Between the two another process may send the same
 * delivery; the engine and the claim deduplicate by slice.
 *
 * Never throws: on failure the row stays due and the sweep sends it again. Returns whether the engine has
 * accepted it.
 */
export async function sendDelivery(
  { engine, store, telemetry }: DispatchParts,
  delivery: Delivery,
  dueAt = 0,
): Promise<boolean> {
  let accepted = false
  try {
    await engine.dispatch(delivery, { dueAt })
    accepted = true
    await store.dispatched(delivery, REDELIVER_SECONDS)
  } catch (error) {
    const task = error instanceof EngineUnreachable ? 'dispatch: engine unreachable' : 'dispatch'
    telemetry.backgroundFailed(task, error)
  }
  return accepted
}

/** Sends several deliveries concurrently. Never throws. */
export async function sendDeliveries(parts: DispatchParts, deliveries: readonly Delivery[]): Promise<void> {
  await Promise.all(deliveries.map((delivery) => sendDelivery(parts, delivery)))
}
