import type { BuilderWorkflow } from '@troupe/contract/builder'
import type { TakenBack } from '@troupe/editor/session/workflow-editor'
import { Redo2, Undo2 } from 'lucide-react'
import { Button } from '../../../atoms/controls/button.tsx'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { HISTORY_KEYS } from '../../../core/canvas/editor-keys.ts'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { SaveState } from './save-state.tsx'
import { takenBackNotice } from './taken-back-notice.ts'
import { type Edited, useDraftEditing } from './use-draft-editing.ts'

/** Undoes and redoes the changes of this tab in the draft, even after a reload, and shows the save state. */
export function UndoButtons({ workflow }: { workflow: BuilderWorkflow }) {
  const refusal = useRefusal('build')
  const { toUndo, toRedo, ...editing } = useDraftEditing(workflow)
  const take = (done: Edited<TakenBack> | null, title: (label: string) => string): void => {
    if (done) showNotice(takenBackNotice(done.result, title(done.result.label)))
  }
  const undo = () => take(editing.undo(), words.undone)
  const redo = () => take(editing.redo(), words.redone)
  useKeys([
    {
      keys: HISTORY_KEYS.undo,
      label: words.undo,
      leavesFields: true,
      refusal: refusal ?? (toUndo === null ? words.nothing : null),
      run: undo,
    },
    {
      keys: HISTORY_KEYS.redo,
      label: words.redo,
      leavesFields: true,
      refusal: refusal ?? (toRedo === null ? words.nothingAgain : null),
      run: redo,
    },
  ])
  if (refusal !== null) return null
  return (
    <>
      <Button
        emphasis="quiet"
        size="small"
        icon={<Undo2 size={14} />}
        aria-label={toUndo === null ? words.undo : words.undoOf(toUndo)}
        isDisabled={toUndo === null}
        onPress={undo}
      >
        {null}
      </Button>
      <Button
        emphasis="quiet"
        size="small"
        icon={<Redo2 size={14} />}
        aria-label={toRedo === null ? words.redo : words.redoOf(toRedo)}
        isDisabled={toRedo === null}
        onPress={redo}
      >
        {null}
      </Button>
      <SaveState workflow={workflow} />
    </>
  )
}
