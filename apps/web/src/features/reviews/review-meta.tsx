import type { MemberReview } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Badge, Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { REVIEW_STATES } from './review-states.ts'
import styles from './reviews.module.css'

/** The origin of a review and its deadline. A `reviewer` may not open workflows and runs. */
export function ReviewMeta({ review }: { review: MemberReview }) {
  const { paths, may } = usePlace()
  const { status, workflowId, workflowName, executionId, createdAt, expiresAt } = review
  const { approvals, approvalsRequired } = review
  const name = workflowName || words.deletedWorkflow
  return (
    <div className={styles.meta}>
      <Status state={REVIEW_STATES[status]} look="badge">
        {words.statuses[status]}
      </Status>
      <span>
        {may('read') && workflowName ? <TextLink href={paths.workflow(workflowId)}>{name}</TextLink> : name}
      </span>
      <span>
        {words.askedWord} <MomentText at={createdAt} />
      </span>
      {status === 'open' && expiresAt !== null && (
        <span>
          {words.dueWord} <MomentText at={expiresAt} />
        </span>
      )}
      {approvalsRequired > 1 && <Badge tone="info">{words.approvals(approvals, approvalsRequired)}</Badge>}
      {may('read') && <TextLink href={paths.run(executionId)}>{words.openRun}</TextLink>}
    </div>
  )
}
