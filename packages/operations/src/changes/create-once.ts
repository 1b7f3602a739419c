import { isUniqueViolation, takenBy } from './unique-violation.ts'

/** A resource, and whether this request made it. */
export interface Created<T> {
  value: T
  created: boolean
}

/**
 * Creates a resource under an id chosen by the caller, so that the request may be repeated: an existing resource is
 * returned unchanged.
 *
 * @param find the resource of this organization with the id
 * @param create throws SqlError 23505 if another resource has the id or the slug
 * @throws DomainError `id_taken` or `slug_taken`
 */
export async function createOnce<T>(
  find: () => Promise<T | null>,
  create: () => Promise<T>,
): Promise<Created<T>> {
  const existing = await find()
  if (existing) return { value: existing, created: false }
  try {
    return { value: await create(), created: true }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    // The same request may have committed in the meantime.
    const raced = await find()
    if (raced) return { value: raced, created: false }
    throw takenBy(error)
  }
}
