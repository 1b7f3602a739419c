import type { Operation } from '@troupe/contract'

/** The parts of an operation that a request needs; no schemas. */
export interface CalledOperation extends Pick<Operation, 'method' | 'path' | 'access' | 'errors'> {
  success: { type?: string }
}

/** One request as data. */
export interface OutgoingRequest {
  operation: CalledOperation
  /** Path parameters in path order, as passed by the caller. */
  ids: readonly unknown[]
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** The parameter names of a path, in order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]))
}

/**
 * The path and query of a request. Throws `TypeError` for ids that would address another route: empty ones,
 * and dot segments, which URLs resolve even when percent-encoded.
 */
export function pathOf(request: OutgoingRequest): string {
  const names = pathNames(request.operation.path)
  let path: string = request.operation.path
  names.forEach((name, index) => {
    const id = request.ids[index]
    if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
      throw new TypeError(`${name} must be the id of something`)
    }
    path = path.replace(`{${name}}`, () => encodeURIComponent(id))
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined && value !== null) query.append(name, String(value))
  }
  return query.size === 0 ? path : `${path}?${query}`
}
