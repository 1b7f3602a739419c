import type { IdText, OrganizationId } from '@troupe/contract'
import type { AnyInput } from './operation-types.ts'

/**
 * The address of a call. Throws `TypeError` for a path parameter that would address another route: an empty one, and dot
 * segments, which URLs resolve even when percent-encoded.
 */
export function requestUrl(
  path: string,
  organizationId: IdText<OrganizationId> | null,
  { params, query }: AnyInput,
): string {
  const values: Readonly<Record<string, unknown>> = { organizationId, ...params }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`${name} must be the id of something`)
    }
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null || value === '') continue
    search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  return search.size === 0 ? filled : `${filled}?${search}`
}
