import { type AppliedBundle, DomainError } from '@troupe/contract'
import type { BundlePreview, GivenBundle } from '@troupe/contract/builder'
import type { BuilderCaller } from '@troupe/operations/access/builder-caller'
import type { Database, OrganizationRecord } from '@troupe/storage'
import { type ApplyParts, applyBundle, previewBundle } from '../apply-bundle.ts'
import { exportArchive, exportBundle } from '../export-bundle.ts'
import type { BundleFolder } from '../read/bundle-folder.ts'
import { BundleError } from '../read/problem.ts'

/** Dependencies of the operations. */
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
  query: ExportQuery,
): Promise<string> {
  const { slug } = await organizationOf(parts, caller)
  return exportBundle(parts, slug, selectionOf(query))
}

/** The same with the files of its documents, and the slug of the organization. */
export async function exportOrganizationArchive(
  parts: OrganizationBundleParts,
  caller: BuilderCaller,
  query: ExportQuery,
): Promise<{ slug: string; archive: Awaited<ReturnType<typeof exportArchive>> }> {
  const { slug } = await organizationOf(parts, caller)
  return { slug, archive: await exportArchive(parts, slug, selectionOf(query)) }
}

interface ExportQuery {
  include?: string
  dependencies?: boolean
}

function selectionOf({ include, dependencies = true }: ExportQuery) {
  return include === undefined ? null : { include: include.split(','), dependencies }
}

/** The changes that applying a bundle would make; its problems are part of the response. `folder`: the files beside it. */
export async function planOrganizationBundle(
  parts: OrganizationBundleParts,
  caller: BuilderCaller,
  given: GivenBundle,
  folder?: BundleFolder,
): Promise<BundlePreview> {
  try {
    const { changes, warnings } = await previewBundle(parts, {
      ...(await sourceOf(parts, caller, given)),
      ...(folder && { folder }),
    })
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
  folder?: BundleFolder,
): Promise<AppliedBundle> {
  return applyBundle(parts, { ...(await sourceOf(parts, caller, given)), ...(folder && { folder }) })
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
  if (!found) throw new DomainError('organization_not_found', 'Organization not found.')
  return found
}
