import type { EditedKind } from '../../core/forms/check-content.ts'
import { useChangeKept } from '../../infrastructure/drafts/use-draft.ts'
import { type TakenBack, takenBack } from './brought-back.ts'
import { type ConfigEdit, isKeptEdit } from './kept-edit.ts'
import { openEditor } from './open-editors.ts'
import type { SavedContent } from './saved-content.ts'

/**
 * Removes a colleague's changes from an edit again: in the editor that is open now, or in the stored edit. The closed
 * editor's own state is never used, because the user may have typed in another one since. The function throws
 * `CallFailure`.
 */
export function useTakeBack(
  { kind, id }: { kind: EditedKind; id: string },
  readSaved: () => Promise<SavedContent>,
): (taken: ConfigEdit, before: ConfigEdit | null) => Promise<TakenBack> {
  const changeKept = useChangeKept()
  const key = `${kind}/${id}`
  return async (taken, before) => {
    const opened = openEditor(key)
    if (opened) return opened(taken, before)
    const saved = await readSaved()
    // Opened while the request was pending.
    const openedSince = openEditor(key)
    if (openedSince) return openedSince(taken, before)
    return changeKept(key, (stored) => {
      const edit = stored && isKeptEdit(stored.value) ? stored.value : null
      const result = takenBack(taken, before, { edit, base: edit && stored ? stored.base : null, saved })
      const { edit: left, isChanged } = result
      if (!isChanged) return { next: stored, result }
      return { next: left && { value: left.edit, base: left.base }, result }
    })
  }
}
