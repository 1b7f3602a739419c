import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { showNotice } from '../../../atoms/overlays/notice-store.ts'
import { forgetUnreadTexts } from '../../../core/forms/unread-texts.ts'
import { stepWords as words } from '../../../core/messages/en/workflows/outline.ts'
import { useTakeDraft } from '../../../infrastructure/drafts/use-draft.ts'
import { putBackOrAsk } from '../../../parts/unsaved/put-back-or-ask.ts'

/** What is given up. */
export interface Discarded {
  /** Where it is kept. */
  key: string
  /** The step, or the draft. */
  name: string
  /** Gives up what else belongs to it, and answers with what brings that back. */
  takeOther?(): () => void
  /** Where the focus goes on, now and after *Undo*. */
  placeAfter(): Element | null | undefined
}

/** Gives up what was typed, and offers to bring it back. */
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
