import { isJsonObject, type ProviderId } from '@troupe/contract'
import { PROVIDERS } from './providers.ts'

type Settings = Readonly<Record<string, unknown>>

/** Settings for responses and exports: the values of additional headers may be secret, so they become null. */
export function withoutHeaderValues(providerId: ProviderId, settings: Settings): Record<string, unknown> {
  return mapHeaders(providerId, settings, () => null)
}

/** Headers given as null keep their stored values; null remains if nothing is stored. */
export function withStoredHeaders(
  providerId: ProviderId,
  settings: Settings,
  stored: Settings,
): Record<string, unknown> {
  return mapHeaders(providerId, settings, (value, field, name) => {
    const before = stored[field]
    return value === null && isJsonObject(before) ? (before[name] ?? null) : value
  })
}

/** Paths below a connection of headers without a value. */
export function headersWithoutValue(providerId: ProviderId, settings: Settings): string[] {
  const paths: string[] = []
  mapHeaders(providerId, settings, (value, field, name) => {
    if (value === null) paths.push(`settings.${field}.${name}`)
    return value
  })
  return paths
}

/**
 * Everything that determines the destination of requests: secrets for one destination must never be sent to another.
 */
export function destinationOf(connection: {
  providerId: ProviderId
  baseUrl: string | null
  settings: Settings
}): string {
  const { providerId, baseUrl, settings } = connection
  const address = baseUrl === null ? null : (URL.parse(baseUrl)?.origin ?? baseUrl)
  return JSON.stringify([providerId, address, settings.resourceName ?? null, settings.region ?? null])
}

function mapHeaders(
  providerId: ProviderId,
  settings: Settings,
  map: (value: unknown, field: string, name: string) => unknown,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = { ...settings }
  for (const { name: field, kind } of PROVIDERS[providerId].description.settings) {
    const headers = settings[field]
    if (kind !== 'headers' || !isJsonObject(headers)) continue
    mapped[field] = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, map(value, field, name)]),
    )
  }
  return mapped
}
