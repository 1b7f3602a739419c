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
  /** Discards related input, and returns a function that restores it. */
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
    // The button is removed or disabled.
    focusNext(placeAfter)
    const bringBack = async () => {
      bringOtherBack?.()
      await putBackOrAsk(putBack)
      // The notice was removed with its button.
      focusNext(placeAfter)
    }
    showNotice({
      title: words.discarded(name),
      action: { label: words.undo, run: () => void bringBack() },
    })
  }
}
