import type { MemberReviewDetail } from '@troupe/contract/builder'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import styles from './review-votes.module.css'
import { ShownValues } from './shown-values.tsx'

/** The decisions on a review, each with its changed values. */
export function ReviewVotes({ votes }: { votes: MemberReviewDetail['votes'] }) {
  return (
    <ul className={styles.votes}>
      {votes.map(({ name, isOwn, decision, comment, changes, at }) => (
        <li key={`${name} ${at}`} className={styles.vote}>
          <Avatar name={name} />
          <div className={styles.said}>
            <div>
              <strong>{isOwn ? words.you : name}</strong> {words.voted[decision]} <MomentText at={at} />
            </div>
            {comment !== null && <p className={styles.comment}>{comment}</p>}
            {changes.length > 0 && (
              <ShownValues
                values={changes.map(({ label, from, to }) => ({
                  ...{ label, value: to },
                  former: { label: words.formerly, value: from },
                }))}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
