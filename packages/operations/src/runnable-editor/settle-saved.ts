import type { BodyOf } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Transaction, UnsavedPlace } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

type SaveBody = BodyOf<(typeof BUILDER_OPERATIONS)['updateTeam']>

/**
 * A save with the unsaved changes that it contains: they end in its transaction, so that a lost answer leaves none behind. Changes written
 * since have another id and stay. So do those of colleagues, unless the save has exactly their content.
 */
export async function settleSaved(
  { write }: Pick<Transaction, 'write'>,
  { organizationId, userId }: BuilderCaller,
  kind: UnsavedPlace['kind'],
  before: { id: string; name: string; description: string | null },
  { savedChanges, replace, name = before.name, description = before.description, config }: SaveBody,
): Promise<void> {
  if (userId === null) return
  const place = { organizationId, userId, kind, thingId: before.id }
  if (savedChanges) {
    const changeId = savedChanges.changeId.toLowerCase()
    await write.unsavedChanges.settle(place, { changeId, settledAs: savedChanges.settledAs.toLowerCase() })
  }
  if (replace && config) await write.unsavedChanges.settleOthers(place, { name, description, config })
}
