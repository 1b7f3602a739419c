import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import type { CallFailure } from '../../../infrastructure/client/call-failure.ts'

/** Says why the draft is not as it was before: a colleague's change is in between, or the reason of the failure. */
export function showUndoFailed(words: { undoLate: string; undoFailed: string }) {
  return ({ code, message }: CallFailure): void => {
    const isLate = code === 'draft_conflict'
    showNotice({
      tone: 'bad',
      ...(isLate ? { title: words.undoLate } : { title: words.undoFailed, detail: message }),
    })
  }
}
