/** The signals that stop a server and all of its processes: Ctrl-C, a closed terminal, and a supervisor that signals the whole group. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The server decides when its parser processes end: it drains first. Must be called first. */
export function ignoreStopSignals(): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => {})
}

/** Whether a process was ended with its server, before it ignored such signals. That does not concern its input. */
export function isStopSignal(signal: NodeJS.Signals | null): boolean {
  return STOP_SIGNALS.some((one) => one === signal)
}
