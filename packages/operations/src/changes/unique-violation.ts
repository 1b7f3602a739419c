import { DomainError, propertyOf } from '@troupe/contract'
import { idTaken } from '../catalog/id-taken.ts'

const UNIQUE_VIOLATION = '23505'

/**
 * Runs a write, and says in the caller's words what a violated unique constraint means: an id that something else has,
 * or a slug.
 *
 * @throws DomainError `id_taken` or `slug_taken`
 */
export async function namingTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw isUniqueViolation(error) ? takenBy(error) : error
  }
}

export function isUniqueViolation(error: unknown): boolean {
  return propertyOf(error, 'code') === UNIQUE_VIOLATION
}

/** What a violated unique constraint means in the caller's words. */
export function takenBy(violation: unknown): DomainError {
  const constraint = propertyOf(violation, 'constraint')
  return typeof constraint === 'string' && /_slug(_unique)?$/.test(constraint) ? slugTaken() : idTaken()
}

function slugTaken(): DomainError {
  return new DomainError('slug_taken', 'Something else has this slug already.')
}
