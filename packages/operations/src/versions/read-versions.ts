import type { RunnableKind } from '@troupe/agents/ports'
import { type AnyVersionId, DomainError, type IdText, isUuid } from '@troupe/contract'
import type { ListedVersion, VersionDetails } from '@troupe/contract/builder'
import type { Database, VersionContent, VersionOwner } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { runnableNotFound } from '../errors/runnable-errors.ts'
import { presentListedVersion, presentVersionDetails } from './present-version.ts'

/** Dependencies of reading versions. */
export interface VersionParts {
  database: Pick<Database, 'versions' | 'read'>
}

export function versionNotFound(): DomainError {
  return new DomainError('version_not_found', 'Version not found.')
}

/** The agent or team in the path; it may not exist. */
export function versionOwner(caller: BuilderCaller, kind: RunnableKind, id: string): VersionOwner | null {
  return isUuid(id) ? { kind, organizationId: caller.organizationId, id: id.toLowerCase() } : null
}

/** @throws DomainError `version_not_found`, including for versions of other owners */
export async function findVersion(
  { database }: { database: { versions: Pick<Database['versions'], 'find'> } },
  owner: VersionOwner | null,
  versionId: IdText<AnyVersionId>,
): Promise<VersionContent> {
  const found = owner && isUuid(versionId) ? await database.versions.find(owner, versionId) : null
  if (!found) throw versionNotFound()
  return found
}

/**
 * Numbered versions, newest first.
 *
 * @throws DomainError `agent_not_found` or `team_not_found`
 */
export async function listVersions(
  { database }: VersionParts,
  caller: BuilderCaller,
  { kind, id }: { kind: RunnableKind; id: string },
  { page = 1, limit = 20 }: { page?: number; limit?: number },
): Promise<{ data: ListedVersion[]; total: number; page: number; limit: number }> {
  const owner = versionOwner(caller, kind, id)
  const found = owner && (await database.versions.page(owner, { page, limit }))
  // Every existing resource has a version.
  if (!found || found.total === 0) throw runnableNotFound(kind)
  return { data: found.rows.map(presentListedVersion), total: found.total, page, limit }
}

/** @throws DomainError `version_not_found` */
export async function getVersion(
  parts: VersionParts,
  caller: BuilderCaller,
  { kind, id, versionId }: { kind: RunnableKind; id: string; versionId: IdText<AnyVersionId> },
): Promise<VersionDetails> {
  return presentVersionDetails(await findVersion(parts, versionOwner(caller, kind, id), versionId))
}
