import { constants } from 'node:os'

/** The exit code of a program that SIGPIPE ended: 141. */
const BROKEN_PIPE = 128 + constants.signals.SIGPIPE

/**
 * For a program that prints and ends: a reader that has gone, such as `head -1`, gets no stack trace. The program continues with its work,
 * and its exit code says that its output was not taken: 141 as of other programs in a pipe, 1 with an error message for another reason, such as
 * a full disk. A code of its own that is not 0 stays.
 */
export function reportLostOutput(): void {
  let code = 0
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (code !== 0) return
    code = error.code === 'EPIPE' ? BROKEN_PIPE : 1
    if (code === 1) process.stderr.write(`The output cannot be written (${error.code ?? error.message}).\n`)
  })
  // Messages that nobody reads change no outcome.
  process.stderr.on('error', () => {})
  process.on('exit', () => {
    process.exitCode ||= code
  })
}
