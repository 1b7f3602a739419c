import { setTimeout as pause } from 'node:timers/promises'
import { DomainError, propertyOf } from '@troupe/contract'
import { NotForeseenError } from './without-heavy-work.ts'

/**
 * Unique violation, serialisation failure, deadlock: a concurrent transaction won, so read again and retry.
 */
const CONFLICTS = new Set(['23505', '40001', '40P01'])
const ATTEMPTS = 6
const PAUSE_MS = 25

/**
 * Retries a transaction that lost a race. `attempt` must read all of its input again.
 *
 * @throws DomainError `validation_error` if every attempt loses
 */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let lost = 1; ; lost += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflict(error)) throw error
      if (lost === ATTEMPTS) {
        throw new DomainError(
          'validation_error',
          'The bundle contradicts stored data or a concurrent change; nothing was applied. Try again.',
          { internal: String(error) },
        )
      }
    }
    await pause(PAUSE_MS * lost)
  }
}

/** The query builder wraps the database's error, so the code is somewhere in the cause chain. */
function isConflict(error: unknown): boolean {
  if (error instanceof NotForeseenError) return true
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = propertyOf(at, 'code')
    if (typeof code === 'string' && CONFLICTS.has(code)) return true
  }
  return false
}
