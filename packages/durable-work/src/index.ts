export { ActiveTurns, type CancelSignal } from './active-turns.ts'
export { type Duty, DutyRunner } from './duty-runner.ts'
export { forEachConcurrently } from './for-each-concurrently.ts'
export {
  type AbortReason,
  BEGUN_ELSEWHERE,
  isInterruption,
  RunAborted,
  SliceEnded,
  StepUnreadable,
  TurnParked,
} from './interruption.ts'
export { idText, type JournalStep, journalStep, type StoredStep, schemaOf } from './journal-step.ts'
export * from './run-engine.ts'
export { Semaphore, SemaphoreClosed } from './semaphore.ts'
export { sendDeliveries, sendDelivery } from './send-delivery.ts'
export type { Signal, Signals } from './signals.ts'
export { sweepTurns } from './sweep-turns.ts'
export * from './turn-store.ts'
export type { TurnTelemetry } from './turn-telemetry.ts'
export { type Turn, type TurnEnd, type TurnLane, TurnWorker } from './turn-worker.ts'
export { onSignal, untilFound, type WakeSource, Wakeups } from './wakeups.ts'
