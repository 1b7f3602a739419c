import type { IdText, OrganizationId } from '@troupe/contract'
import type { PersonsChanges, UnsavedKind } from '@troupe/contract/builder'
import { randomId } from '../../infrastructure/client/random-id.ts'
import type { StoredEdit } from './based-edit.ts'
import { EditSync, type EditSyncParts } from './edit-sync.ts'
import { unsavedCalls } from './unsaved-calls.ts'

/** The editor's side of a synchronization. */
export type EditorOfSync<E extends StoredEdit> = Pick<
  EditSyncParts<E>,
  'local' | 'setLocal' | 'agreed' | 'setAgreed' | 'merge' | 'none' | 'since' | 'readSaved' | 'isOthers'
>

/** The synchronization of an open editor with the server; ends with `close`. */
export interface OpenSync<E extends StoredEdit> {
  sync: EditSync<E>
  close(): void
}

/** Its code is loaded after the page of the editor. */
export function openEditSync<E extends StoredEdit>(
  organizationId: IdText<OrganizationId>,
  { isEdit, ...thing }: { kind: UnsavedKind; id: string; isEdit(value: unknown): value is E },
  editor: EditorOfSync<E>,
  onOthers: (others: readonly PersonsChanges[]) => void,
): OpenSync<E> {
  const isShown = () => document.visibilityState === 'visible'
  const sync = new EditSync({
    ...unsavedCalls(organizationId, thing, isEdit, onOthers),
    ...editor,
    isShown,
    newId: randomId,
    now: () => Date.now(),
  })
  const onShow = () => (isShown() ? sync.news() : sync.flush())
  const onOnline = () => sync.news()
  document.addEventListener('visibilitychange', onShow)
  addEventListener('online', onOnline)
  sync.news()
  return {
    sync,
    close: () => {
      document.removeEventListener('visibilitychange', onShow)
      removeEventListener('online', onOnline)
      sync.flush(true)
    },
  }
}
