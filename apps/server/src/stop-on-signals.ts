import type { StopSignal } from '@troupe/telemetry/stop-signals'
import type { Logger } from 'pino'

/** Milliseconds until a hanging process is ended: more than all drains and closes together, except ringing phones. */
const LAST_RESORT_MS = 60_000

/** The operations of a graceful stop. */
export interface Stopping {
  log: Pick<Logger, 'info'>
  /** How long requests are served after SIGTERM, in seconds. */
  drainSeconds: number
  /** How long phones may still ring, in milliseconds. */
  ringingMs: number
  /** Makes `/readyz` answer 503; everything else continues. */
  leave: () => void
  /** Ends runs, closes the port and releases every part. */
  stop: () => Promise<void>
  /** Formats an error of the stop for the operator. */
  explain: (error: unknown) => string
}

/** The exit function of `process`. */
export interface EndingProcess {
  exit(code: number): void
  stderr: { write(text: string): unknown }
}

/**
 * Handles each stop signal. SIGTERM is sent by a supervisor whose balancer needs time to notice, so requests are served for
 * `drainSeconds` more; SIGHUP, the end of the terminal or of the parent, is the same. SIGINT stops immediately; a second signal
 * skips the drain, and a third one ends the process.
 */
export function stopOnSignals(program: EndingProcess, stopping: Stopping): (signal: StopSignal) => void {
  let phase: 'running' | 'leaving' | 'stopping' = 'running'
  let leaving: NodeJS.Timeout | undefined
  const stop = () => {
    clearTimeout(leaving)
    phase = 'stopping'
    setTimeout(() => {
      program.stderr.write('Stopping took too long; the process ends with work undone.\n')
      program.exit(1)
    }, LAST_RESORT_MS + stopping.ringingMs).unref()
    stopping.stop().then(
      () => program.exit(0),
      (error: unknown) => {
        program.stderr.write(`${stopping.explain(error)}\n`)
        program.exit(1)
      },
    )
  }
  return (signal) => {
    if (phase === 'stopping') return program.exit(1)
    stopping.log.info({ signal }, 'stopping')
    if (phase === 'leaving' || signal === 'SIGINT' || stopping.drainSeconds === 0) return stop()
    phase = 'leaving'
    stopping.leave()
    leaving = setTimeout(stop, stopping.drainSeconds * 1000)
  }
}
