import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { unsavedWords as words } from '../../core/messages/en/agents/unsaved.ts'
import type { PutBack } from '../../infrastructure/drafts/use-draft.ts'

/** Restores a discarded edit; later input is kept, unless the user agrees in a notice to replace it. */
export async function putBackOrAsk(putBack: PutBack): Promise<void> {
  if (await putBack()) return
  showNotice({
    title: words.newerTyped,
    detail: words.newerTypedDetail,
    action: { label: words.replaceNewer, run: () => void putBack(true) },
  })
}
