import type { MemberReviewDetail } from '@troupe/builder-contract'
import { Section } from '../../atoms/layout/page.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import styles from './reviews.module.css'

/** What others said before, where several must approve. */
export function EarlierVotes({ votes }: { votes: MemberReviewDetail['votes'] }) {
  return (
    <Section title={words.earlier}>
      <ul className={styles.votes}>
        {votes.map(({ name, isOwn, decision, comment, at }) => (
          <li key={`${name} ${at}`} className={styles.vote}>
            <Avatar name={name} />
            <div>
              <div>
                <strong>{isOwn ? words.you : name}</strong> {words.voted[decision]} <MomentText at={at} />
              </div>
              {comment !== null && <p>{comment}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}
