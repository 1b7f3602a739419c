import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { forgetUnreadTexts } from '../../../core/forms/unread-texts.ts'
import { stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useTakeDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { putBackOrAsk } from '../../../parts/unsaved/put-back-or-ask.ts'

/** The discarded edit. */
export interface Discarded {
  /** Its storage key. */
  key: string
  /** The step, or the draft. */
  name: string
  /** Gives up what else belongs to it, and answers with what brings that back. */
  takeOther?(): () => void
  /** The next focus, now and after *Undo*. */
  placeAfter(): Element | null | undefined
}

/** Discards the input, and offers to restore it. */
export function useDiscard(): (discarded: Discarded) => Promise<void> {
  const takeDraft = useTakeDraft()
  return async ({ key, name, placeAfter, takeOther }) => {
    forgetUnreadTexts()
    const bringOtherBack = takeOther?.()
    const putBack = await takeDraft(key)
    // The button goes away, or can no longer be pressed.
    focusNext(placeAfter)
    const bringBack = async () => {
      bringOtherBack?.()
      await putBackOrAsk(putBack)
      // The notice took its button along.
      focusNext(placeAfter)
    }
    showNotice({
      title: words.discarded(name),
      action: { label: words.undo, run: () => void bringBack() },
    })
  }
}
