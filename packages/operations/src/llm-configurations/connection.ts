import { invalidRequest, type ProviderId } from '@troupe/contract'
import type { ConnectionBody } from '@troupe/contract/builder'
import { destinationOf, validateConnection, withStoredHeaders } from '@troupe/models'
import type { SecretBox } from '@troupe/secrets'
import type { LlmConfigurationRecord } from '@troupe/storage'
import { openCredentials } from './credentials.ts'

/** A connection with its secrets, in memory only. */
export interface OpenConnection {
  providerId: ProviderId
  baseUrl: string | null
  settings: Record<string, unknown>
  credentials: Record<string, string>
}

type Stored = Pick<LlmConfigurationRecord, 'id' | 'providerId' | 'baseUrl' | 'settings' | 'sealedCredentials'>

/**
 * A connection as a request describes it: absent values come from the stored one. Secrets are write-only, so stored
 * ones are never combined with another address, where they could be read.
 *
 * @param stored null for a new connection
 * @throws DomainError `validation_error` with every failure
 */
export function describedConnection(
  box: SecretBox,
  stored: Stored | null,
  given: Omit<ConnectionBody, 'llmConfigId'>,
): OpenConnection {
  const providerId = given.providerId ?? stored?.providerId
  if (providerId === undefined) throw invalidRequest([{ path: 'providerId', message: 'is required' }])
  const baseUrl = given.baseUrl === undefined ? (stored?.baseUrl ?? null) : given.baseUrl
  const settings = given.settings ?? stored?.settings ?? {}
  const kept = stored && openCredentials(box, stored)
  const staysThere =
    stored !== null && destinationOf(stored) === destinationOf({ providerId, baseUrl, settings })
  const credentials = merged(staysThere ? (kept ?? {}) : {}, given.credentials ?? {})
  const headers = staysThere ? stored.settings : {}
  const connection = {
    providerId,
    baseUrl,
    settings: withStoredHeaders(providerId, settings, headers),
    credentials,
  }
  const errors = validateConnection(providerId, connection).map((problem) => {
    const wasSet = problem.path.startsWith('credentials.') && problem.message === 'is required'
    if (stored === null || !wasSet) return problem
    return kept === null
      ? { ...problem, message: 'must be entered again: this server cannot decrypt the stored value' }
      : { ...problem, message: 'must be entered again: the stored one is for another address' }
  })
  if (errors.length > 0) throw invalidRequest(errors)
  return connection
}

function merged(
  kept: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string | null>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...kept, ...given }).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
}
