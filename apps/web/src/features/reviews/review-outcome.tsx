import type { MemberReviewDetail } from '@troupe/contract/builder'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { decidedValues } from '../../core/reviews/decided-values.ts'
import { ReviewVotes } from '../../parts/review-votes/review-votes.tsx'
import { ShownValues } from '../../parts/review-votes/shown-values.tsx'
import styles from './reviews.module.css'

/** The result of a review: author, time, reason and values. Of several decisions, each with its changes. */
export function ReviewOutcome({ review }: { review: MemberReviewDetail }) {
  const { status, decision, decidedAt, votes } = review
  const decided = decidedValues(review)
  const isWholeStory = decision !== null && votes.length === 1
  return (
    <>
      <Section title={words.outcome}>
        <Card>
          {decision === null ? (
            <p>{status === 'timeout' ? words.nobody.timeout : words.nobody.withdrawn}</p>
          ) : (
            <>
              <p>
                <strong>{words.statuses[status]}</strong> {words.outcomeBy(decision.by.name)}{' '}
                <MomentText at={decidedAt} />
              </p>
              {decision.comment !== null && <p className={styles.text}>{decision.comment}</p>}
            </>
          )}
          {decided.length > 0 && <ShownValues values={decided} />}
        </Card>
      </Section>
      {votes.length > 0 && !isWholeStory && (
        <Section title={words.each}>
          <ReviewVotes votes={votes} />
        </Section>
      )}
    </>
  )
}
