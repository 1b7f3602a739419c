import { isJsonObject, propertyOf } from '@troupe/contract'
import { startWatchdog } from './start-watchdog.ts'
import { ignoreStopSignals } from './stop-signals.ts'

/**
 * The whole of a program that `runInProcess` starts: sends the result of `work` for the one input. The process ends when its parent has the
 * result, at the limit of its CPU time, and when the parent was killed.
 */
export function serveInput<T>(work: (input: T) => unknown): void {
  ignoreStopSignals()
  // An exit joins threads of V8, which may wait forever: https://github.com/nodejs/node/issues/54918.
  const end = () => process.kill(process.pid, 'SIGKILL')
  process.once('disconnect', end)
  process.once('uncaughtException', end)
  const pieces: string[] = []
  process.on('message', async (message) => {
    const piece = propertyOf(message, 'piece')
    if (typeof piece === 'string') {
      pieces.push(piece)
      return
    }
    const [timeMs, parent] = ['timeMs', 'parent'].map((name) => Number(propertyOf(message, name)))
    await startWatchdog({ memoryBytes: null, timeMs: timeMs ?? 0, parent: parent ?? 0 })
    const given = propertyOf(message, 'input')
    const text = pieces.splice(0).join('')
    // The parent's messages have the type that the program declares.
    process.send?.(work((text !== '' && isJsonObject(given) ? { ...given, text } : given) as T))
  })
}
