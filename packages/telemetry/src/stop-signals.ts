/** What asks a process to stop. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type StopSignal = (typeof STOP_SIGNALS)[number]

/**
 * Milliseconds within which npm hands on a signal that it has got. A signal to the whole process group, as Ctrl-C sends it,
 * arrives twice under npm: from the terminal, and from npm.
 */
const HANDED_ON_MS = 400
/** How often a process that npm has started looks whether npm still lives. */
const WATCH_MS = 500

/** The part of `process` that is asked to stop. */
export interface StoppableProcess {
  on(signal: StopSignal, listener: () => void): unknown
  readonly ppid: number
}

/** How the process was started. */
export interface Start {
  /** Whether npm is the parent: it hands signals on, and its end leaves nobody who could stop the process. */
  byNpm: boolean
}

/** Whether npm runs the program as `start` or `start:…`, by the variables that it sets. A program that another script leaves running is not meant. */
export function isStartedByNpm(env: Readonly<Record<string, string | undefined>>): boolean {
  return /^start(:|$)/.test(env.npm_lifecycle_event ?? '')
}

/**
 * Calls `onStop` for every request to stop: once for a signal that npm hands on, and with `SIGHUP` when npm has ended, which it does by
 * a SIGHUP or SIGKILL of its own without a word to the process.
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
