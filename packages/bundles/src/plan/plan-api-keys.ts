import { ApiKeyId, type BundleApiKey, momentOf, type OrganizationId } from '@troupe/contract'
import { hashApiKeySecret, mintApiKeySecret, secretHint, weakSecretFault } from '@troupe/secrets'
import type { ApiKeyRecord, WrittenApiKey } from '@troupe/storage'
import type { Item } from '../read/bundle-items.ts'
import { type Planner, place } from '../resolve/planner.ts'
import type { Step } from '../resolve/step.ts'
import type { ProjectLookup } from './plan-projects.ts'

/** A key, and its secret when this plan generated it. */
export interface KeyStep extends Step<WrittenApiKey> {
  minted: string | null
}

export async function planApiKeys(
  planner: Planner,
  organizationId: OrganizationId,
  items: readonly Item<BundleApiKey>[],
  stored: readonly ApiKeyRecord[],
  projectOf: ProjectLookup,
): Promise<KeyStep[]> {
  const placed = await place(planner, ApiKeyId, items, stored, {
    field: 'name',
    ofItem: ({ name }) => name,
    ofRow: ({ name }) => name,
  })
  const steps: KeyStep[] = []
  for (const { item, stored: before, id } of placed) {
    const { value, path } = item
    const projectId = projectOf(item)
    if (value.secret !== undefined && (await isTaken(planner, value.secret, id))) {
      planner.problems.add(`${path}.secret`, 'is already the secret of another key')
    }
    const weak = value.secret === undefined ? null : weakness(planner, value.secret, before)
    if (weak !== null) planner.problems.add(`${path}.secret`, weak)
    const expiresAt = value.expiresAt ? momentOf(value.expiresAt) : null
    if (value.expiresAt && !expiresAt) planner.problems.add(`${path}.expiresAt`, 'is not a date and time')
    if (projectId === undefined) continue
    const minted = value.secret === undefined && before === null ? mintApiKeySecret() : null
    const given = value.secret ?? minted
    const after: WrittenApiKey = {
      id,
      organizationId,
      projectId,
      name: value.name,
      secretHash: given === null ? (before?.secretHash ?? '') : hashApiKeySecret(given),
      rpm: value.rpm ?? null,
      expiresAt,
      revokedAt: revokedAt(value.revoked, before, planner.now()),
      ...(given === null ? {} : { hint: secretHint(given) }),
    }
    steps.push({ before, after, minted, changed: before === null || differs(before, after) })
  }
  return steps
}

/** The reason that a new secret is too weak; null if it is not. An existing secret of the key remains usable. */
function weakness(planner: Planner, secret: string, before: WrittenApiKey | null): string | null {
  if (planner.acceptsWeakSecrets || before?.secretHash === hashApiKeySecret(secret)) return null
  return weakSecretFault(secret)
}

async function isTaken(planner: Planner, secret: string, id: string): Promise<boolean> {
  const holder = await planner.read.apiKeys.byHash(hashApiKeySecret(secret))
  return holder !== null && holder.id !== id
}

/** An absent field keeps a revocation: applying an old file must not reactivate a revoked key. */
function revokedAt(revoked: boolean | undefined, before: WrittenApiKey | null, now: number): Date | null {
  if (revoked === undefined) return before?.revokedAt ?? null
  return revoked ? (before?.revokedAt ?? new Date(now)) : null
}

function differs(before: WrittenApiKey, after: WrittenApiKey): boolean {
  return (
    before.name !== after.name ||
    before.projectId !== after.projectId ||
    before.secretHash !== after.secretHash ||
    before.rpm !== after.rpm ||
    before.expiresAt?.getTime() !== after.expiresAt?.getTime() ||
    before.revokedAt?.getTime() !== after.revokedAt?.getTime()
  )
}
