import { constants } from 'node:os'

/** The exit code of a program that SIGPIPE ended: 141. */
const BROKEN_PIPE = 128 + constants.signals.SIGPIPE

/**
 * For a program that prints and exits: a closed pipe, such as that of `head -1`, causes no stack trace. The program
 * continues its work, and its exit code reports the lost output: 141, as for other programs in a pipe, or 1 with an
 * error message for another cause, such as a full disk. Its own nonzero exit code is kept.
 */
export function reportLostOutput(): void {
  let code = 0
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (code !== 0) return
    code = error.code === 'EPIPE' ? BROKEN_PIPE : 1
    if (code === 1) process.stderr.write(`The output cannot be written (${error.code ?? error.message}).\n`)
  })
  // A closed standard error does not change the outcome.
  process.stderr.on('error', () => {})
  process.on('exit', () => {
    process.exitCode ||= code
  })
}
