import { isDeepStrictEqual } from 'node:util'
import type { CatalogModel } from '@troupe/agents/ports'
import type { BundleLlmConfiguration, BundleModel, OrganizationId } from '@troupe/contract'
import type { LlmConfigurationRecord, WrittenLlmConfiguration } from '@troupe/database'
import { validateConnection } from '@troupe/models'
import { openCredentials, sealCredentials } from '@troupe/operations/llm-configurations/credentials'
import type { Item } from '../read/bundle-items.ts'
import { type PlacedPart, type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A step with its path in the bundle. */
export interface LlmConfigurationStep extends Step<WrittenLlmConfiguration> {
  path: string
}

/** Tokens; used for models whose bundle sets no value. */
const DEFAULT_CONTEXT_LENGTH = 128_000
const DEFAULT_MAX_OUTPUT_TOKENS = 8_192

export async function planLlmConfigurations(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleLlmConfiguration>[],
  stored: readonly LlmConfigurationRecord[],
  projectOf: ProjectLookup,
): Promise<LlmConfigurationStep[]> {
  const placed = await place(planner, items, stored, {
    field: 'slug',
    ofItem: ({ slug }) => slug,
    ofRow: ({ slug }) => slug,
  })
  return placed.flatMap((part) => {
    const { value, path } = part.item
    const { sealed, credentials } = credentialsOf(planner, part)
    const connection = { baseUrl: value.baseUrl ?? null, settings: value.settings ?? {} }
    // Stored credentials that no configured key decrypts cannot be checked.
    for (const problem of validateConnection(value.providerId, {
      ...connection,
      credentials: credentials ?? {},
    })) {
      if (credentials === null && problem.path.startsWith('credentials.')) continue
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
      models: value.models.map(toCatalogModel),
      allowUnlistedModels: value.allowUnlistedModels ?? false,
    }
    return [{ path, before: part.stored, after, changed: differs(part.stored, after) }]
  })
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

function toCatalogModel(model: BundleModel): CatalogModel {
  return {
    modelId: model.modelId,
    displayName: model.displayName ?? model.modelId,
    contextLength: model.contextLength ?? DEFAULT_CONTEXT_LENGTH,
    maxOutputTokens: model.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    toolChoice: model.toolChoice ?? true,
    inputUsdPerMillion: model.inputUsdPerMillion ?? null,
    cachedInputUsdPerMillion: model.cachedInputUsdPerMillion ?? null,
    outputUsdPerMillion: model.outputUsdPerMillion ?? null,
  }
}

function differs(before: LlmConfigurationRecord | null, after: WrittenLlmConfiguration): boolean {
  if (before === null) return true
  const { version, createdAt, updatedAt, ...written } = before
  return !isDeepStrictEqual(written, after)
}
