import type { WorkflowRunDetail } from '@troupe/contract/builder'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { type State, Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'

type RunReview = WorkflowRunDetail['reviews'][number]

const STATES: Readonly<Record<RunReview['status'], State>> = {
  open: 'waiting',
  approved: 'completed',
  rejected: 'failed',
  timeout: 'warning',
  withdrawn: 'cancelled',
}

/** The reviews of a run. */
export function ReviewsOfRun({ reviews }: { reviews: readonly RunReview[] }) {
  const { paths } = usePlace()
  return (
    <Section title={runWords.reviews}>
      <Card flush>
        <RowList
          label={runWords.reviews}
          rows={reviews.map(({ reviewId, title, status, votes, decision, createdAt }) => ({
            id: reviewId,
            title,
            // All decisions of a quorum.
            detail: votes.length > 0 ? votes.map(({ name }) => name).join(', ') : decision?.by.name,
            lead: <Status state={STATES[status]}>{runWords.reviewStatuses[status]}</Status>,
            end: <MomentText at={createdAt} />,
            href: paths.review(reviewId),
          }))}
        />
      </Card>
    </Section>
  )
}
