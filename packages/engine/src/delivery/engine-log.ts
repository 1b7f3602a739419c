/** Where an engine says what the operator should know: ids and causes, never contents. A pino logger fits. */
export interface EngineLog {
  info(details: object, text: string): void
  warn(details: object, text: string): void
}

/** For processes and tests that do not want to know. */
export const SILENT_LOG: EngineLog = { info() {}, warn() {} }
