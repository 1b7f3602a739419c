import type { IdText, OrganizationId, UserId } from '@troupe/contract'
import type { PersonsChanges, UnsavedChanges, UnsavedKind } from '@troupe/contract/builder'
import { asCallFailure } from '../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../infrastructure/client/call-operation.ts'
import { isOtherPersons, signedOut } from '../../infrastructure/client/server-signals.ts'
import type { RemoteEdit } from './agreed-edit.ts'
import type { BasedEdit, StoredEdit } from './based-edit.ts'
import type { EditSyncParts, SyncOutcome } from './edit-sync.ts'

/** A request without a response for this long counts as lost. */
const PATIENCE_MS = 30_000
const patience = () => AbortSignal.timeout(PATIENCE_MS)

interface UnsavedCalls<E extends StoredEdit> extends Pick<EditSyncParts<E>, 'look' | 'keep'> {
  /** The edit of a colleague; null: none. Throws `CallFailure`. */
  ofPerson(userId: IdText<UserId>): Promise<BasedEdit<E> | null>
}

/**
 * The requests of unsaved changes.
 *
 * @param isEdit validates edits of older builds
 * @param onOthers receives the colleagues with unsaved changes
 */
export function unsavedCalls<E extends StoredEdit>(
  organizationId: IdText<OrganizationId>,
  { kind, id }: { kind: UnsavedKind; id: string },
  isEdit: (value: unknown) => value is E,
  onOthers: (others: readonly PersonsChanges[]) => void = () => undefined,
): UnsavedCalls<E> {
  const editOf = ({ edit }: UnsavedChanges): BasedEdit<E> | null => {
    if (edit === null) return null
    const { baseVersionId: base, mine, from, ids } = edit
    const kept = { mine, from, ...(ids && { ids }) }
    return isEdit(kept) ? { edit: kept, base } : null
  }
  const remoteOf = (own: UnsavedChanges): RemoteEdit<E> => {
    // A server of an earlier build omits `builtOn`.
    const { changeId, builtOn = [] } = own
    return { changeId, edit: editOf(own), builtOn }
  }
  const params = { kind, thingId: id }
  return {
    async look() {
      if (!mayCall()) throw 'unreachable' satisfies SyncOutcome
      try {
        const answer = await callOperation(
          'getUnsavedChanges',
          organizationId,
          { params },
          { signal: patience() },
        )
        onOthers(answer.others)
        return answer.own && remoteOf(answer.own)
      } catch (error) {
        throw outcomeOf(error)
      }
    },
    async keep({ edit, ...write }) {
      if (!mayCall()) return 'unreachable'
      const body = { ...write, edit: edit && sentEdit(edit) }
      try {
        await callOperation('keepUnsavedChanges', organizationId, { params, body }, { signal: patience() })
        return 'stored'
      } catch (error) {
        return outcomeOf(error)
      }
    },
    async ofPerson(userId) {
      const { changes } = await callOperation('getPersonsUnsavedChanges', organizationId, {
        params: { ...params, userId },
      })
      return changes && editOf(changes)
    },
  }
}

function sentEdit({ base, edit: { mine, from, ids } }: BasedEdit<StoredEdit>) {
  return { baseVersionId: base, mine: { ...mine }, from: { ...from }, ...(ids && { ids: { ...ids } }) }
}

/** Whether a request would be sent as this user, and can reach the server. */
const mayCall = () => navigator.onLine && !signedOut.get() && !isOtherPersons()

function outcomeOf(error: unknown): SyncOutcome {
  const { code, status, isPassing } = asCallFailure(error)
  if (code === 'unauthorized') return 'signedOut'
  if (code === 'draft_conflict') return 'conflict'
  if (status === null || isPassing || code === 'invalid_answer') return 'unreachable'
  return 'refused'
}
