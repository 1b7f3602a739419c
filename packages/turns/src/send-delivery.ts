import { type Delivery, EngineUnreachable, type RunEngine } from './run-engine.ts'
import { REDELIVER_SECONDS, type TurnStore } from './turn-store.ts'
import type { TurnTelemetry } from './turn-telemetry.ts'

/** What handing a delivery in needs: the engine, and the rows of the delivery's lane. */
export interface DispatchParts {
  engine: Pick<RunEngine, 'dispatch'>
  store: Pick<TurnStore<never, unknown>, 'dispatched'>
  telemetry: TurnTelemetry
}

/**
 * Hands a delivery to the engine and writes that the engine has it. Between the two writes another process may hand in
 * the same delivery; the engine and the claim tell them apart by the slice.
 *
 * @throws EngineUnreachable, or what the database throws; the delivery then stays due in its row
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
 * Hands a delivery in, to be taken at once or not before `dueAt` (milliseconds since the epoch). Never throws: what fails
 * stays due in the row, and the sweep hands it in again.
 */
export async function sendDelivery(parts: DispatchParts, delivery: Delivery, dueAt = 0): Promise<void> {
  try {
    await handIn(parts, delivery, dueAt)
  } catch (error) {
    const task = error instanceof EngineUnreachable ? 'dispatch: engine unreachable' : 'dispatch'
    parts.telemetry.backgroundFailed(task, error)
  }
}

/** The same for several deliveries at once. Never throws. */
export async function sendDeliveries(parts: DispatchParts, deliveries: readonly Delivery[]): Promise<void> {
  await Promise.all(deliveries.map((delivery) => sendDelivery(parts, delivery)))
}
