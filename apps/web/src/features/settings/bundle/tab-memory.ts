import type { AppliedBundle, IdText, OrganizationId } from '@troupe/contract'
import { createValueStore, type ValueStore } from '../../../infrastructure/client/value-store.ts'

/**
 * Secret state of the bundle page that survives a visit of another page. It is only in the memory of the tab, and a sign-out reloads the
 * page.
 */
export interface TabMemory {
  /** A text that contains secrets; null: the text has none, and is kept on the device. */
  secretText: ValueStore<string | null>
  /** An archive with the files of the text; null: only the text. */
  archive: ValueStore<File | null>
  /** Values of variables. */
  variables: ValueStore<Readonly<Record<string, string>>>
  /** The secrets created by the last apply, until the user has stored them. */
  applied: ValueStore<AppliedBundle | null>
}

const memories = new Map<string, TabMemory>()

/** The memory of this tab for one organization. */
export function tabMemory(organizationId: IdText<OrganizationId>): TabMemory {
  const known = memories.get(organizationId)
  if (known) return known
  const fresh: TabMemory = {
    secretText: createValueStore<string | null>(null),
    archive: createValueStore<File | null>(null),
    variables: createValueStore<Readonly<Record<string, string>>>({}),
    applied: createValueStore<AppliedBundle | null>(null),
  }
  memories.set(organizationId, fresh)
  return fresh
}
