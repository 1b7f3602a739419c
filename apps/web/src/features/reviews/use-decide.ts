import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import type { DecisionBody } from '../../core/reviews/decision.ts'
import { type InboxItem, nextAfter } from '../../core/reviews/inbox.ts'
import { withSearch } from '../../core/url/paths.ts'
import { useAskAgain } from '../../infrastructure/queries/use-ask-again.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useGoTo } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { broughtUp, noteAnswered, noteSent, sentDecisions } from './sent-decisions.ts'
import type { ReviewsView } from './use-inbox.ts'

/** A decision to send. */
export type DecisionCall = {
  id: string
  title: string
  /** Called after the server has stored it. */
  onStored(): void
} & (
  | { kind: 'approval'; body: DecisionBody }
  /** `revision`: of the displayed proposed values. */
  | { kind: 'review'; body: DecisionBody & { revision: string } }
)

/** The address of an item in a view of the inbox. */
export function useItemPath(view: ReviewsView): (item: Pick<InboxItem, 'kind' | 'id'> | null) => string {
  const { paths } = usePlace()
  return (item) => {
    const path =
      item === null ? paths.reviews : item.kind === 'review' ? paths.review(item.id) : paths.approval(item.id)
    return withSearch(path, { view: view === 'mine' ? null : view })
  }
}

/**
 * Decides: the next item opens immediately, while the decision is being sent. A refused decision is restored, and a
 * notice links to it.
 */
export function useDecide(items: readonly InboxItem[], view: ReviewsView): (call: DecisionCall) => void {
  const goTo = useGoTo()
  const pathOf = useItemPath(view)
  const refreshes = ['listReviews', 'listApprovals', 'getReview', 'getApproval', 'getHome', 'getRun'] as const
  const review = useChange('decideReview', { refreshes })
  const approval = useChange('resolveApproval', { refreshes })
  const askAgain = useAskAgain()
  return (call) => void decide(call)

  async function decide(call: DecisionCall) {
    const { kind, id, title, onStored } = call
    // The second press of a double press, before the page has changed.
    if (sentDecisions.get().has(id)) return
    const next = nextAfter(items, id)
    noteSent(id)
    broughtUp.set(next && { id: next.id, shownAtMs: null })
    goTo(pathOf(next), { replace: true })
    const onFailure: Parameters<typeof review.run>[1] = (failure) => {
      noteAnswered(id, failure)
      // Somebody else has decided first, so the page is outdated.
      if (failure.status === 409) askAgain(refreshes)
      showNotice({
        tone: 'bad',
        title: words.decisionFailed(title),
        detail: failure.message,
        action: { label: words.openAgain, run: () => goTo(pathOf({ kind, id })) },
      })
    }
    const { decision, comment } = call.body
    const done =
      call.kind === 'review'
        ? await review.run({ params: { reviewId: id }, body: call.body }, onFailure)
        : await approval.run(
            { params: { approvalId: id }, body: { decision, ...(comment && { reason: comment }) } },
            onFailure,
          )
    if (!done) return
    noteAnswered(id, null)
    onStored()
    showNotice({ title: words.decided[decision](title) })
  }
}
