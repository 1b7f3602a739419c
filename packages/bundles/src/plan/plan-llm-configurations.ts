import { isDeepStrictEqual } from 'node:util'
import { type BundleLlmConfiguration, LlmConfigId, type OrganizationId } from '@troupe/contract'
import { destinationOf, headersWithoutValue, validateConnection, withStoredHeaders } from '@troupe/models'
import { toCatalogModel } from '@troupe/operations/llm-configurations/catalog-model'
import { openCredentials, sealCredentials } from '@troupe/operations/llm-configurations/credentials'
import type { LlmConfigurationRecord, WrittenLlmConfiguration } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import { BY_SLUG, type PlacedPart, type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A step with its path in the bundle. */
export interface LlmConfigurationStep extends Step<WrittenLlmConfiguration> {
  path: string
}

export async function planLlmConfigurations(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleLlmConfiguration>[],
  stored: readonly LlmConfigurationRecord[],
  projectOf: ProjectLookup,
): Promise<LlmConfigurationStep[]> {
  const placed = await place(planner, LlmConfigId, items, stored, BY_SLUG)
  return placed.flatMap((part) => {
    const { value, path } = part.item
    const { sealed, credentials } = credentialsOf(planner, part)
    const connection = connectionOf(part)
    const without = headersWithoutValue(value.providerId, connection.settings)
    for (const place of without) {
      planner.problems.add(`${path}.${place}`, 'needs a value here: exports omit header values')
    }
    if (sendsSecretsElsewhere(planner, part)) {
      planner.problems.add(
        `${path}.credentials`,
        'must be entered again: the stored ones are for another address',
      )
    }
    // Stored credentials that no configured key decrypts cannot be checked.
    for (const problem of validateConnection(value.providerId, {
      ...connection,
      credentials: credentials ?? {},
    })) {
      if (credentials === null && problem.path.startsWith('credentials.')) continue
      if (without.some((place) => place.startsWith(`${problem.path}.`))) continue
      planner.problems.add(`${path}.${problem.path}`, problem.message)
    }
    const projectId = projectOf(part.item)
    if (projectId === undefined) return []
    const after: WrittenLlmConfiguration = {
      id: part.id,
      organizationId,
      projectId,
      slug: value.slug,
      name: value.name,
      providerId: value.providerId,
      status: value.status ?? 'connected',
      isDefault: value.default ?? false,
      ...connection,
      sealedCredentials: sealed,
      ...(sealed === part.stored?.sealedCredentials ? {} : { credentialsSetAt: setAt(planner, credentials) }),
      models: value.models.map(toCatalogModel),
      allowUnlistedModels: value.allowUnlistedModels ?? false,
    }
    return [{ path, before: part.stored, after, changed: differs(part.stored, after) }]
  })
}

/** Headers without a value keep the stored one, because exports omit it. */
function connectionOf({
  item: { value },
  stored,
}: PlacedPart<BundleLlmConfiguration, LlmConfigurationRecord>) {
  const { providerId, baseUrl = null, settings = {} } = value
  return { baseUrl, settings: withStoredHeaders(providerId, settings, stored?.settings ?? {}) }
}

/** Whether a member would have stored secrets sent to another address, where the member could read them. */
function sendsSecretsElsewhere(
  { role }: Planner,
  part: PlacedPart<BundleLlmConfiguration, LlmConfigurationRecord>,
): boolean {
  const { item, stored } = part
  if (role === null || stored === null) return false
  const { settings, baseUrl } = connectionOf(part)
  const isElsewhere =
    destinationOf(stored) !== destinationOf({ providerId: item.value.providerId, baseUrl, settings })
  const keepsCredentials = item.value.credentials === undefined && stored.sealedCredentials !== null
  const keepsHeaders = headersWithoutValue(item.value.providerId, item.value.settings ?? {}).length > 0
  return isElsewhere && (keepsCredentials || keepsHeaders)
}

/**
 * Absent credentials keep the stored ones; equal credentials keep the stored envelope, so nothing is written.
 */
function credentialsOf(
  { box }: Planner,
  { item, stored, id }: PlacedPart<BundleLlmConfiguration, LlmConfigurationRecord>,
): { sealed: string | null; credentials: Record<string, string> | null } {
  const given = item.value.credentials
  const kept = stored === null ? {} : openCredentials(box, stored)
  if (given === undefined) return { sealed: stored?.sealedCredentials ?? null, credentials: kept }
  if (stored !== null && isDeepStrictEqual({ ...given }, { ...kept }) && kept !== null) {
    return { sealed: stored.sealedCredentials, credentials: kept }
  }
  return { sealed: sealCredentials(box, id, given), credentials: given }
}

function setAt({ now }: Planner, credentials: Record<string, string> | null): Record<string, string> {
  const at = new Date(now()).toISOString()
  return Object.fromEntries(Object.keys(credentials ?? {}).map((name) => [name, at]))
}

function differs(before: LlmConfigurationRecord | null, after: WrittenLlmConfiguration): boolean {
  if (before === null) return true
  const { version, createdAt, updatedAt, credentialsSetAt, ...written } = before
  const { credentialsSetAt: _, ...planned } = after
  return !isDeepStrictEqual(written, planned)
}
