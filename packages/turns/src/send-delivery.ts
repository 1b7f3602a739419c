import { type Delivery, EngineUnreachable, type RunEngine } from './run-engine.ts'
import { REDELIVER_SECONDS, type TurnStore } from './turn-store.ts'
import type { TurnTelemetry } from './turn-telemetry.ts'

/** What sending a delivery needs: the engine, and the rows of the delivery's lane. */
export interface DispatchParts {
  engine: Pick<RunEngine, 'dispatch'>
  store: Pick<TurnStore<never, unknown>, 'dispatched'>
  telemetry: TurnTelemetry
}

/**
 * Sends a delivery to the engine, then records that the engine has accepted it. Between the two another
 * process may send the same delivery; the engine and the claim deduplicate by slice.
 *
 * @throws EngineUnreachable, or the database's error; the row then stays due
 */
export async function handIn(
  { engine, store }: Pick<DispatchParts, 'engine' | 'store'>,
  delivery: Delivery,
  dueAt = 0,
): Promise<void> {
  await engine.dispatch(delivery, { dueAt })
  await store.dispatched(delivery, REDELIVER_SECONDS)
}

/**
 * Sends a delivery for immediate pickup, or for pickup no earlier than `dueAt` (milliseconds since the
 * epoch). Never throws: on failure the row stays due and the sweep sends it again.
 */
export async function sendDelivery(parts: DispatchParts, delivery: Delivery, dueAt = 0): Promise<void> {
  try {
    await handIn(parts, delivery, dueAt)
  } catch (error) {
    const task = error instanceof EngineUnreachable ? 'dispatch: engine unreachable' : 'dispatch'
    parts.telemetry.backgroundFailed(task, error)
  }
}

/** Sends several deliveries concurrently. Never throws. */
export async function sendDeliveries(parts: DispatchParts, deliveries: readonly Delivery[]): Promise<void> {
  await Promise.all(deliveries.map((delivery) => sendDelivery(parts, delivery)))
}
