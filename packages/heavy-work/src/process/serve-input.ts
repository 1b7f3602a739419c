import { constants, setPriority } from 'node:os'
import { propertyOf } from '@troupe/contract'

/**
 * The whole of a program that `runInProcess` starts: sends what `work` makes of the one input. The process ends when its parent has the
 * answer, and by itself when the parent is gone.
 */
export function serveInput<T>(work: (input: T) => unknown): void {
  // Runs and requests have priority.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.once('message', (message) => {
    // What the parent sends has the type that the program declares.
    process.send?.(work(propertyOf(message, 'input') as T))
  })
}
