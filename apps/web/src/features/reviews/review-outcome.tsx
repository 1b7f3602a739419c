import type { MemberReviewDetail } from '@troupe/builder-contract'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { EarlierVotes } from './earlier-votes.tsx'
import styles from './reviews.module.css'
import { ShownValues } from './shown-value.tsx'

/** How a review ended: who decided, when, why, and with which values. */
export function ReviewOutcome({ review }: { review: MemberReviewDetail }) {
  const { status, decision, decidedAt, fields, votes } = review
  const decided = fields.map(({ name, label, value }) => ({
    label,
    // An emptied field is null, which is not the proposed value.
    value: decision && Object.hasOwn(decision.data, name) ? decision.data[name] : value,
  }))
  const others = votes.filter(
    ({ name, comment }) => name !== decision?.by.name || comment !== decision.comment,
  )
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
      {others.length > 0 && <EarlierVotes votes={others} />}
    </>
  )
}
