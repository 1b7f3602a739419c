import type { Operation } from '@troupe/contract'

/** One request as data. */
export interface OutgoingRequest {
  operation: Operation
  /** Path parameters in the order of the path, as the caller gave them. */
  ids: readonly unknown[]
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  headers?: Readonly<Record<string, string>>
}

/** The names in the braces of a path, in their order. */
export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1]))
}

/**
 * The path and query of a request. Throws `TypeError` for an id that would change which route is called: an empty one,
 * and dot segments, which URLs resolve even when they are percent-encoded.
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
