import { DomainError, propertyOf } from '@troupe/contract'
import { idTaken } from '../catalog/id-taken.ts'

const UNIQUE_VIOLATION = '23505'

/**
 * Runs a write, and translates a violated unique constraint: a taken id or slug.
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

/** The error of a violated unique constraint in the caller's terms. */
export function takenBy(violation: unknown): DomainError {
  const constraint = propertyOf(violation, 'constraint')
  return typeof constraint === 'string' && /_slug(_unique)?$/.test(constraint) ? slugTaken() : idTaken()
}

function slugTaken(): DomainError {
  return new DomainError('slug_taken', 'Something else already has this slug.')
}
