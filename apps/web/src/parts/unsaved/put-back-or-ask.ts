import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import type { PutBack } from '../../infrastructure/drafts/use-draft.ts'

/** Puts back what was given up; what was typed since stays, unless the person says in a notice that it shall be replaced. */
export async function putBackOrAsk(putBack: PutBack): Promise<void> {
  if (await putBack()) return
  showNotice({
    title: words.newerTyped,
    detail: words.newerTypedDetail,
    action: { label: words.replaceNewer, run: () => void putBack(true) },
  })
}
