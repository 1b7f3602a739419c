import type { BundlePreview, GivenBundle } from '@troupe/builder-contract'
import { type ApplyParts, applyBundle, BundleError, exportBundle, previewBundle } from '@troupe/bundles'
import { type AppliedBundle, DomainError } from '@troupe/contract'
import type { Database, OrganizationRecord } from '@troupe/database'
import type { BuilderCaller } from '../access/builder-caller.ts'

/** What the operations use. */
export interface OrganizationBundleParts extends ApplyParts {
  database: Pick<Database, 'read' | 'transaction'>
}

/**
 * The organization as a bundle, or some of its items.
 *
 * @param include `agent:<id>`, separated by commas; absent: everything
 * @throws DomainError `validation_error` for an item that does not exist
 */
export async function exportOrganizationBundle(
  parts: OrganizationBundleParts,
  caller: BuilderCaller,
  { include, dependencies = true }: { include?: string; dependencies?: boolean },
): Promise<string> {
  const { slug } = await organizationOf(parts, caller)
  const selection = include === undefined ? null : { include: include.split(','), dependencies }
  return exportBundle(parts, slug, selection)
}

/** What applying a bundle would change; its problems are part of the answer. */
export async function planOrganizationBundle(
  parts: OrganizationBundleParts,
  caller: BuilderCaller,
  given: GivenBundle,
): Promise<BundlePreview> {
  try {
    const { changes, warnings } = await previewBundle(parts, await sourceOf(parts, caller, given))
    return { changes, errors: [], ...(warnings.length > 0 && { warnings }) }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    const errors = error.problems.map(({ reason = null, ...problem }) => ({ ...problem, reason }))
    return { changes: [], errors }
  }
}

/** @throws DomainError `validation_error` with every problem; nothing was written */
export async function applyOrganizationBundle(
  parts: OrganizationBundleParts,
  caller: BuilderCaller,
  given: GivenBundle,
): Promise<AppliedBundle> {
  return applyBundle(parts, await sourceOf(parts, caller, given))
}

async function sourceOf(
  parts: OrganizationBundleParts,
  caller: BuilderCaller,
  { text, variables = {}, adopt = false }: GivenBundle,
) {
  return { text, variables, adopt, actor: caller.actor, only: await organizationOf(parts, caller) }
}

async function organizationOf(
  { database }: Pick<OrganizationBundleParts, 'database'>,
  { organizationId }: BuilderCaller,
): Promise<OrganizationRecord> {
  const found = await database.read.organizations.byId(organizationId)
  if (!found) throw new DomainError('organization_not_found', 'There is no such organization.')
  return found
}
