import { DomainError, invalidRequest, roleHas } from '@troupe/contract'
import type { Organization, UpdateOrganizationBody } from '@troupe/contract/builder'
import type { Database, OrganizationRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { organizationEntry } from '../audit/audited-settings.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { requireVersion } from '../changes/require-version.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { type LimitCeilings, limitsAboveCeilings } from '../limits/limit-ceilings.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { organizationGone } from './get-organization.ts'
import { presentOrganization } from './present-organization.ts'

/** Dependencies of the operation. */
export interface UpdateOrganizationParts {
  database: Pick<Database, 'transaction'>
  configChanges: ConfigChanges
  limitCeilings: LimitCeilings
}

/**
 * @throws DomainError `validation_error` (a limit above the operator's ceiling), `forbidden` (a slug, unless the caller
 * is an owner), `version_conflict`, `slug_taken`
 */
export async function updateOrganization(
  { database, configChanges, limitCeilings }: UpdateOrganizationParts,
  caller: BuilderCaller,
  { name, slug, limits, version }: UpdateOrganizationBody,
): Promise<Organization> {
  const { organizationId, actor, role } = caller
  const errors = limitsAboveCeilings(limitCeilings, limits ?? {}).map(({ name: limit, message }) => ({
    path: `limits.${limit}`,
    message,
  }))
  if (errors.length > 0) throw invalidRequest(errors)
  const updated = await database.transaction(async ({ read, write }) => {
    const before = await write.organizations.lock(organizationId)
    if (!before) throw organizationGone()
    if (slug !== undefined && slug !== before.slug && !roleHas(role, 'own')) {
      throw new DomainError('forbidden', 'Only owners may change the slug of the organization.')
    }
    const entity = { kind: 'organization', id: organizationId, version: before.version }
    await requireVersion(read, caller, entity, version)
    requireShownName(name, before)
    const inFlight = await read.builder.organizations.runsInFlight(organizationId)
    const after = { ...before, name: name ?? before.name, slug: slug ?? before.slug, ...limits }
    if (isSame(before, after)) return presentOrganization(before, inFlight)
    await namingTaken(write.organizations.put(after))
    await write.audit.append(organizationEntry(actor, before, after))
    return presentOrganization({ ...after, version: before.version + 1 }, inFlight)
  })
  configChanges.committed(organizationId)
  return updated
}

function isSame(before: OrganizationRecord, after: OrganizationRecord): boolean {
  const fields = ['name', 'slug', 'rpm', 'concurrentRuns', 'traceDays', 'runDays'] as const
  return fields.every((field) => before[field] === after[field])
}
