/** Signals that stop a process. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type StopSignal = (typeof STOP_SIGNALS)[number]

/**
 * Milliseconds within which npm forwards a received signal. A signal to the whole process group, such as Ctrl-C, arrives twice under npm:
 * from the terminal, and from npm.
 */
const HANDED_ON_MS = 400
/** Interval in milliseconds at which a process started by npm checks whether npm is alive. */
const WATCH_MS = 500

/** The part of `process` that receives stop signals. */
export interface StoppableProcess {
  on(signal: StopSignal, listener: () => void): unknown
  readonly ppid: number
}

/** How the process was started. */
export interface Start {
  /** Whether npm is the parent: it forwards signals, and when it ends nobody can stop the process. */
  byNpm: boolean
}

/**
 * Whether npm runs the program as `start` or `start:…`, according to the variables that it sets. False for a program that another script
 * leaves running.
 */
export function isStartedByNpm(env: Readonly<Record<string, string | undefined>>): boolean {
  return /^start(:|$)/.test(env.npm_lifecycle_event ?? '')
}

/**
 * Calls `onStop` for every stop signal: once for a signal that npm forwards, and with `SIGHUP` when npm has ended because of its own SIGHUP
 * or SIGKILL, which it does not forward.
 */
export function listenForStops(
  program: StoppableProcess,
  onStop: (signal: StopSignal) => void,
  { byNpm }: Start,
): void {
  let counted: { signal: StopSignal; atMs: number; wasRepeated: boolean } | null = null
  const receive = (signal: StopSignal) => {
    const atMs = performance.now()
    const isHandedOn =
      byNpm && counted?.signal === signal && !counted.wasRepeated && atMs - counted.atMs < HANDED_ON_MS
    if (counted !== null && isHandedOn) {
      counted.wasRepeated = true
      return
    }
    counted = { signal, atMs, wasRepeated: false }
    onStop(signal)
  }
  for (const signal of STOP_SIGNALS) program.on(signal, () => receive(signal))
  if (!byNpm) return
  const parent = program.ppid
  const watch = setInterval(() => {
    if (program.ppid === parent) return
    clearInterval(watch)
    if (counted === null) receive('SIGHUP')
  }, WATCH_MS).unref()
}
