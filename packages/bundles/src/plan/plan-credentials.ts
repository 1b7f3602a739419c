import { isDeepStrictEqual } from 'node:util'
import { type BundleCredential, CredentialId, type OrganizationId } from '@troupe/contract'
import { credentialFaults } from '@troupe/operations/credentials/credential-faults'
import { isForUrl } from '@troupe/operations/credentials/credential-hosts'
import { credentialPlace } from '@troupe/operations/credentials/stored-credentials'
import type { CredentialRecord, NewCredential } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import { BY_SLUG, type PlacedPart, type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A step with its path in the bundle. */
export interface CredentialStep extends Step<NewCredential> {
  path: string
}

export async function planCredentials(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleCredential>[],
  stored: readonly CredentialRecord[],
  projectOf: ProjectLookup,
): Promise<CredentialStep[]> {
  const placed = await place(planner, CredentialId, items, stored, BY_SLUG)
  return placed.flatMap((part) => {
    const { value, path } = part.item
    if (sendsSecretElsewhere(planner, part)) {
      planner.problems.add(`${path}.secret`, 'must be entered again, because a host was added')
    }
    for (const fault of credentialFaults(value)) planner.problems.add(`${path}.${fault.path}`, fault.message)
    const sealedSecret = sealedSecretOf(planner, part)
    const projectId = projectOf(part.item)
    if (projectId === undefined || sealedSecret === null) return []
    const after: NewCredential = {
      id: part.id,
      organizationId,
      projectId,
      slug: value.slug,
      name: value.name,
      kind: value.kind,
      username: value.username ?? null,
      field: value.field ?? null,
      sealedSecret,
      hosts: value.hosts.map((host) => host.toLowerCase()),
    }
    return [{ path, before: part.stored, after, changed: differs(part.stored, after) }]
  })
}

/** Whether a member, who cannot read secrets, would have the stored secret sent to another host. */
function sendsSecretElsewhere(
  { role }: Planner,
  { item: { value }, stored }: PlacedPart<BundleCredential, CredentialRecord>,
): boolean {
  if (role === null || stored === null || value.secret !== undefined) return false
  const isCovered = (host: string) =>
    stored.hosts.includes(host) || (!host.startsWith('*.') && isForUrl(stored, `https://${host}`))
  return !value.hosts.every((host) => isCovered(host.toLowerCase()))
}

/** An absent secret keeps the stored one; an equal one keeps the stored envelope. Null if there is none. */
function sealedSecretOf(
  { box, problems }: Planner,
  { item, stored, id }: PlacedPart<BundleCredential, CredentialRecord>,
): string | null {
  const { secret } = item.value
  if (secret === undefined) {
    if (stored === null) problems.add(`${item.path}.secret`, 'is required for a new credential')
    return stored?.sealedSecret ?? null
  }
  if (stored !== null && openOrNull(box, stored) === secret) return stored.sealedSecret
  return box.seal(secret, credentialPlace(id))
}

function openOrNull(box: Planner['box'], { id, sealedSecret }: CredentialRecord): string | null {
  try {
    return box.open(sealedSecret, credentialPlace(id))
  } catch {
    return null
  }
}

function differs(before: CredentialRecord | null, after: NewCredential): boolean {
  if (before === null) return true
  const { secretSetAt, version, createdAt, updatedAt, ...written } = before
  return !isDeepStrictEqual(written, after)
}
