/** The engine's log for the operator: ids and causes, never contents. A pino logger fits. */
export interface EngineLog {
  info(details: object, text: string): void
  warn(details: object, text: string): void
}

/** A silent log, for processes and tests that do not need one. */
export const SILENT_LOG: EngineLog = { info() {}, warn() {} }
