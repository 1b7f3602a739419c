import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePathParam } from '../../infrastructure/routing/place.ts'
import { InboxPage } from './inbox-page.tsx'
import { ReviewPanel } from './review-panel.tsx'

/** One review, beside its inbox. */
export function ReviewPage() {
  const reviewId = usePathParam('reviewId')
  const review = useOperation('getReview', { params: { reviewId } })
  return (
    <InboxPage
      current={reviewId}
      title={review.data?.title}
      detail={(decide) => <ReviewPanel key={reviewId} reviewId={reviewId} decide={decide} />}
    />
  )
}
