/** What asks a server and everything that it started to stop: Ctrl-C, a closed terminal, and a supervisor that signals the whole group. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The server decides when a process that parses for it ends: it drains first. Call it first of all. */
export function ignoreStopSignals(): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => {})
}

/** Whether a process was ended with its server, before it ignored such signals. That says nothing about its input. */
export function isStopSignal(signal: NodeJS.Signals | null): boolean {
  return STOP_SIGNALS.some((one) => one === signal)
}
