import {
  asId,
  type BodyOf,
  DomainError,
  jsonBytes,
  type ParamsOf,
  propertyOf,
  type ResultOf,
  type UserId,
} from '@troupe/contract'
import { BUILDER_OPERATIONS, type UnsavedChanges } from '@troupe/contract/builder'
import type { Database, UnsavedPlace, UnsavedRecord } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { runnableNotFound } from '../errors/runnable-errors.ts'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { findRunnable } from '../runnables/find-runnable.ts'

const MB = 1024 * 1024
/** An edit has its content before and after. */
const MOST_BYTES = { ofOne: 2 * MB, ofPerson: 32 * MB }
const FOREIGN_KEY_VIOLATION = '23503'

const op = BUILDER_OPERATIONS
type Thing = ParamsOf<(typeof op)['getUnsavedChanges']>

interface UnsavedParts {
  database: Pick<Database, 'read' | 'transaction'>
}

/** Changes of agents and teams that are typed and not saved. */
export function unsavedChangesHandlers({ database }: UnsavedParts): BuilderHandler[] {
  const { read } = database
  const find = async (caller: BuilderCaller, { kind, thingId }: Thing) => {
    const { id }: { id: string } =
      kind === 'agent'
        ? await findRunnable('agent', read.agents.byId, caller, thingId)
        : await findRunnable('team', read.teams.byId, caller, thingId)
    return { organizationId: caller.organizationId, kind, thingId: id }
  }
  return [
    handler(op.getUnsavedChanges, async ({ caller, params }) => {
      const thing = await find(caller, params)
      const { userId } = caller
      // The operator is no person and has none.
      if (userId === null) return { own: null, others: [] }
      const place = { ...thing, userId }
      const [own, others] = await Promise.all([
        read.unsavedChanges.find(place),
        read.unsavedChanges.others(place),
      ])
      return {
        own: own && presentUnsaved(own),
        others: others.map(({ savedAt, ...one }) => ({ ...one, savedAt: savedAt.toISOString() })),
      }
    }),
    handler(op.getPersonsUnsavedChanges, async ({ caller, params }) => {
      const thing = await find(caller, params)
      const userId: UserId = asId(params.userId.toLowerCase())
      // As the list of colleagues: only active members.
      const [member, found] = await Promise.all([
        read.members.byId(caller.organizationId, userId),
        read.unsavedChanges.find({ ...thing, userId }),
      ])
      return { changes: member?.status === 'active' && found?.edit ? presentUnsaved(found) : null }
    }),
    handler(
      op.keepUnsavedChanges,
      async ({ caller, params, body }) => {
        const { userId } = caller
        const thing = await find(caller, params)
        if (userId === null) {
          throw new DomainError('validation_error', 'Only a signed-in member has unsaved changes.')
        }
        return keepUnsavedChanges({ database }, { ...thing, userId }, body)
      },
      { maxBodyBytes: MOST_BYTES.ofOne + MB },
    ),
  ]
}

/**
 * Writes of one person are ordered by the statement that stores them. The budget is read before it, so writes of several agents and teams
 * at once may exceed it by an edit each.
 *
 * @throws DomainError `validation_error`, `draft_conflict`, `agent_not_found` or `team_not_found`
 */
async function keepUnsavedChanges(
  { database }: UnsavedParts,
  place: UnsavedPlace,
  { changeId, replaces, edit }: BodyOf<(typeof op)['keepUnsavedChanges']>,
): Promise<ResultOf<(typeof op)['keepUnsavedChanges']>> {
  const bytes = edit === null ? 0 : jsonBytes(edit)
  if (bytes > MOST_BYTES.ofOne) throw tooLarge('has more than 2 MB')
  if (
    edit !== null &&
    (await database.read.unsavedChanges.bytesBeside(place)) + bytes > MOST_BYTES.ofPerson
  ) {
    throw tooLarge('exceeds the 32 MB of unsaved changes of one person: save or discard others')
  }
  const write = {
    ...place,
    changeId: changeId.toLowerCase(),
    replaces: replaces?.toLowerCase() ?? null,
    edit,
    bytes,
  }
  const savedAt = await database
    .transaction((tx) => tx.write.unsavedChanges.put(write))
    .catch((error: unknown) => {
      // Deleted since it was found.
      if (propertyOf(error, 'code') !== FOREIGN_KEY_VIOLATION) throw error
      throw runnableNotFound(place.kind)
    })
  if (savedAt === null) {
    throw new DomainError('draft_conflict', 'Other unsaved changes are stored since these were read.')
  }
  return { changeId: write.changeId, savedAt: savedAt.toISOString() }
}

function tooLarge(message: string): DomainError {
  return new DomainError('validation_error', 'The request is not valid.', {
    errors: [{ path: 'edit', message }],
  })
}

function presentUnsaved({ changeId, edit, savedAt }: UnsavedRecord): UnsavedChanges {
  // Stored as its schema allowed.
  return { changeId, edit: edit as UnsavedChanges['edit'], savedAt: savedAt.toISOString() }
}
