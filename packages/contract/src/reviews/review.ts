import { type Static, Type } from 'typebox'
import { Choice } from '../schema/choice.ts'
import { UnixSeconds, Uuid } from '../schema/formats.ts'
import type { ReviewId, WorkflowId, WorkflowRunId } from '../schema/ids.ts'
import { Nullable } from '../schema/nullable.ts'
import { OpenObject } from '../schema/objects.ts'

const REVIEW_STATUSES = ['open', 'approved', 'rejected', 'timeout', 'withdrawn'] as const
const ReviewStatus = Choice(REVIEW_STATUSES, {
  description: '`timeout`: its deadline has passed. `withdrawn`: its run ended before a decision.',
})

export const ReviewParams = Type.Object({ reviewId: Uuid<ReviewId>() })

/** The author of a decision. */
export const ReviewActor = Type.Object({
  type: Choice(['user', 'apiKey', 'link'], {
    description: '`link`: a visitor who used the link of the review and was not signed in.',
  }),
  id: Uuid({ description: 'Id of the user or the key; for a link, id of the review.' }),
  name: Type.String({ description: 'For a link, the name that the visitor entered.' }),
})
export type ReviewActor = Static<typeof ReviewActor>

/** The name of the person who decided. Visitors with a link enter it themselves, so it is marked as such. */
export function deciderName({ type, name }: Pick<ReviewActor, 'type' | 'name'>): string {
  return type === 'link' ? `${name} (by the link)` : name
}

/** A value that reviewers may change. */
export const ReviewField = Type.Object({
  name: Type.String(),
  label: Type.String(),
  type: Choice(['text', 'textarea', 'number', 'select', 'boolean']),
  options: Type.Array(Type.String(), { description: 'Of a `select`; empty for the others.' }),
  required: Type.Boolean(),
  value: Type.Unknown({ description: 'The proposed value, of the given type, or null.' }),
})
export type ReviewField = Static<typeof ReviewField>

const Decision = Type.Object({
  by: ReviewActor,
  comment: Nullable(Type.String()),
  data: OpenObject({ description: 'The fields as decided.' }),
})

/** A run's request for a decision by reviewers. */
export const Review = Type.Object({
  reviewId: Uuid<ReviewId>(),
  executionId: Uuid<WorkflowRunId>(),
  workflowId: Uuid<WorkflowId>(),
  workflowName: Type.String(),
  nodeId: Type.String(),
  path: Type.String({ description: 'Empty, or the iteration: `loop1[3]`.' }),
  title: Type.String(),
  instructions: Type.String({ description: 'Markdown.' }),
  data: Type.Array(Type.Object({ label: Type.String(), value: Type.Unknown() })),
  fields: Type.Array(ReviewField),
  status: ReviewStatus,
  approvals: Type.Integer(),
  approvalsRequired: Type.Integer(),
  createdAt: UnixSeconds(),
  expiresAt: Nullable(UnixSeconds()),
  decidedAt: Nullable(UnixSeconds()),
  decision: Nullable(Decision),
})
export type Review = Static<typeof Review>

/** The outcome of a submitted decision. */
export const DecidedReview = Type.Object({
  reviewId: Uuid<ReviewId>(),
  executionId: Uuid<WorkflowRunId>(),
  status: ReviewStatus,
  decidedAt: Nullable(UnixSeconds()),
})
export type DecidedReview = Static<typeof DecidedReview>

/** The earlier decision, which prevails over a later one. */
export const StandingReview = Type.Object({
  reviewId: Uuid<ReviewId>(),
  executionId: Uuid<WorkflowRunId>(),
  status: ReviewStatus,
  decidedAt: Nullable(UnixSeconds()),
  decision: Nullable(Decision),
})
export type StandingReview = Static<typeof StandingReview>

/** A reviewer's decision. */
export const ReviewDecisionBody = Type.Object({
  decision: Choice(['approve', 'reject']),
  comment: Type.Optional(
    Nullable(Type.String({ maxLength: 2_000, description: 'Shown with the decision.' })),
  ),
  data: Type.Optional(
    OpenObject({
      description:
        'Values of the fields by name; omitted fields keep the proposed value. Unknown names are refused. Null clears a field.',
    }),
  ),
})
export type ReviewDecisionBody = Static<typeof ReviewDecisionBody>

/** The filter of a list of reviews. */
export const reviewFilter = {
  status: Type.Optional(Choice(REVIEW_STATUSES)),
  workflowId: Type.Optional(Uuid<WorkflowId>()),
}
