import { DomainError, propertyOf } from '@troupe/contract'

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
    if (propertyOf(error, 'code') !== UNIQUE_VIOLATION) throw error
    const constraint = propertyOf(error, 'constraint')
    if (typeof constraint === 'string' && constraint.endsWith('_slug')) throw slugTaken()
    if (typeof constraint === 'string' && constraint.endsWith('_slug_unique')) throw slugTaken()
    throw idTaken()
  }
}

/** Something else has the id, in this organization or in another one. */
export function idTaken(): DomainError {
  return new DomainError('id_taken', 'Something else has this id already. Leave `id` out to get a new one.')
}

function slugTaken(): DomainError {
  return new DomainError('slug_taken', 'Something else has this slug already.')
}
