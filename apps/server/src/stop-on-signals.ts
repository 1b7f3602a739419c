import type { Logger } from 'pino'

/** Milliseconds after which a process that should have stopped is ended: longer than every drain and close together. */
const LAST_RESORT_MS = 60_000

/** What stopping a process means. */
export interface Stopping {
  log: Pick<Logger, 'info'>
  /** How long requests are served after SIGTERM, in seconds. */
  drainSeconds: number
  /** From now on `/readyz` is 503; everything else goes on. */
  leave: () => void
  /** Ends runs, closes the port and releases every part. */
  stop: () => Promise<void>
  /** What is written for people when stopping fails. */
  explain: (error: unknown) => string
}

/** The part of a process that signals reach. */
export interface SignalledProcess {
  on(signal: 'SIGINT' | 'SIGTERM', listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): void
  stderr: { write(text: string): unknown }
}

/**
 * SIGTERM comes from a supervisor whose balancer needs time to notice, so requests are served for `drainSeconds` more.
 * SIGINT stops at once. A second signal ends the waiting, and one after that ends the process.
 */
export function stopOnSignals(program: SignalledProcess, stopping: Stopping): void {
  let phase: 'running' | 'leaving' | 'stopping' = 'running'
  let leaving: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(leaving)
    phase = 'stopping'
    setTimeout(() => {
      program.stderr.write('Stopping took more than a minute; the process ends with work undone.\n')
      program.exit(1)
    }, LAST_RESORT_MS).unref()
    stopping.stop().then(
      () => program.exit(0),
      (error: unknown) => {
        program.stderr.write(`${stopping.explain(error)}\n`)
        program.exit(1)
      },
    )
  }
  const signalled = (signal: NodeJS.Signals) => {
    if (phase === 'stopping') return program.exit(1)
    stopping.log.info({ signal }, 'stopping')
    if (phase === 'leaving' || signal !== 'SIGTERM' || stopping.drainSeconds === 0) return stop()
    phase = 'leaving'
    stopping.leave()
    leaving = setTimeout(stop, stopping.drainSeconds * 1000)
  }
  program.on('SIGINT', signalled)
  program.on('SIGTERM', signalled)
}
