import type { TakenBack } from '@troupe/editor/session/workflow-editor'
import type { PageNotice } from '../../../atoms/overlays/notice-store.ts'
import { historyWords as words } from '../../../core/messages/en/workflows/outline.ts'

/** The effect of an undo or a redo on the draft, for a notice. `title` reports success, and is not shown without a change. */
export function takenBackNotice({ label, left, isChanged }: TakenBack, title: string): PageNotice {
  if (isChanged) return { title, ...(left.length > 0 ? { detail: words.left(left.length) } : {}) }
  if (left.length > 0) return { tone: 'bad', title: words.allTouched(label) }
  return { title: words.noChange(label) }
}
