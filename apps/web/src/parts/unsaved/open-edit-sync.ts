import type { PersonsChanges } from '@troupe/contract/builder'
import type { ConfigKind } from '../../core/forms/check-content.ts'
import { randomId } from '../../infrastructure/client/random-id.ts'
import { EditSync, type EditSyncParts } from './edit-sync.ts'
import { unsavedCalls } from './unsaved-calls.ts'

/** The editor's side of a synchronization. */
export type EditorOfSync = Pick<
  EditSyncParts,
  'local' | 'setLocal' | 'agreed' | 'setAgreed' | 'saved' | 'readSaved' | 'isOthers'
>

/** The synchronization of an open editor with the server; ends with `close`. */
export interface OpenSync {
  sync: EditSync
  close(): void
}

/** Its code is loaded after the page of the editor. */
export function openEditSync(
  organizationId: string,
  thing: { kind: ConfigKind; id: string },
  editor: EditorOfSync,
  onOthers: (others: readonly PersonsChanges[]) => void,
): OpenSync {
  const isShown = () => document.visibilityState === 'visible'
  const sync = new EditSync({
    ...unsavedCalls(organizationId, thing, onOthers),
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
