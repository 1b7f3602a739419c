import type { RunnableKind } from '@troupe/agents/ports'
import { type BodyOf, checkedId, UnsavedChangesId } from '@troupe/contract'
import type { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import type { Transaction, UnsavedPlace } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'

type SaveBody = BodyOf<(typeof BUILDER_OPERATIONS)['updateTeam']>

/**
 * Settles the caller's unsaved changes in the transaction of the save that contains them, so that none remain if the
 * response is lost. Later changes have another id and are kept.
 */
export async function settleOwn(
  { write }: Pick<Transaction, 'write'>,
  { organizationId, userId }: BuilderCaller,
  thing: Pick<UnsavedPlace, 'kind' | 'thingId'>,
  savedChanges: SaveBody['savedChanges'],
): Promise<void> {
  if (userId === null || !savedChanges) return
  const changeId = checkedId(UnsavedChangesId, savedChanges.changeId)
  const settledAs = checkedId(UnsavedChangesId, savedChanges.settledAs)
  await write.unsavedChanges.settle({ organizationId, userId, ...thing }, { changeId, settledAs })
}

/**
 * The same for an agent or a team. Unsaved changes of colleagues are settled too if their content equals that of the
 * save.
 */
export async function settleSaved(
  tx: Pick<Transaction, 'write'>,
  caller: BuilderCaller,
  kind: RunnableKind,
  before: { id: string; name: string; description: string | null },
  { savedChanges, replace, name = before.name, description = before.description, config }: SaveBody,
): Promise<void> {
  const { organizationId, userId } = caller
  const thing = { kind, thingId: before.id }
  await settleOwn(tx, caller, thing, savedChanges)
  if (userId === null || !replace || !config) return
  const content = { name, description, config }
  await tx.write.unsavedChanges.settleOthers({ organizationId, userId, ...thing }, content)
}
