import type { Scope } from '@troupe/agents/ports'
import type {
  ApiKeyId,
  OrganizationId,
  ProjectId,
  ReviewActor,
  ReviewId,
  UserId,
  WorkflowId,
  WorkflowRunId,
} from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { RunScope } from './run-scope.ts'

/** The states of a review. Everything but `open` is final. */
export const REVIEW_STATUSES = ['open', 'approved', 'rejected', 'timeout', 'withdrawn'] as const
/** The state of a review. */
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]
/** The outcome of a review for its run; a withdrawn one no longer has a run to resume. */
export type ReviewVerdict = Exclude<ReviewStatus, 'open' | 'withdrawn'>

/** A value that reviewers may change. */
export interface EditableField {
  name: string
  label: string
  type: 'text' | 'textarea' | 'number' | 'select' | 'boolean'
  /** The options of a `select`; empty for other kinds. */
  options: string[]
  required: boolean
  /** The proposed value, of the field's type, or null. */
  value: string | number | boolean | null
  /** The run's proposal, once an approval of a quorum has changed `value` or confirmed it; absent: `value` is the proposal. */
  proposed?: EditableField['value']
}

/** The members who may decide. */
export interface Reviewers {
  kind: 'members' | 'roles' | 'users'
  roles: string[]
  userIds: UserId[]
}

/** Recipients of the notification that a review is open. */
export interface ReviewNotify {
  emails: string[]
  webhookUrl: string | null
}

/** The definition of a review: its content with tokens filled in, its reviewers, and how they decide. */
export interface ReviewRequest {
  title: string
  /** Markdown. */
  instructions: string
  show: { label: string; value: unknown }[]
  fields: EditableField[]
  reviewers: Reviewers
  approvalsRequired: number
  requireRejectComment: boolean
  allowSelfApproval: boolean
  allowApiKeys: boolean
  /** Seconds from the activation; null for no deadline. */
  timeoutSeconds: number | null
  notify: ReviewNotify
}

/** A review about to be opened by the commit that writes its node as `waiting`. */
export interface NewReview {
  reviewId: ReviewId
  path: string
  nodeId: string
  request: ReviewRequest
  /** The secret of its link: SHA-256 in hex, and sealed until all notifications are sent. */
  link: { hash: string; sealed: string }
}

/** The reviewers' decision, in the form that a run reads. */
export interface ReviewAnswer {
  path: string
  nodeId: string
  decision: ReviewVerdict
  comment: string | null
  /** The decided fields; after a timeout the proposed ones. */
  data: Record<string, unknown>
  /** null after a timeout. */
  reviewedBy: ReviewActor | null
  /** Unix seconds. */
  reviewedAt: number
}

/** A stored review. Timestamps in milliseconds since the epoch. */
export interface ReviewRecord {
  reviewId: ReviewId
  organizationId: OrganizationId
  projectId: ProjectId | null
  runId: WorkflowRunId
  workflowId: WorkflowId
  workflowName: string
  nodeId: string
  path: string
  status: ReviewStatus
  title: string
  instructions: string
  shown: { label: string; value: unknown }[]
  /** With the currently proposed values: every approval of a quorum may change them. */
  fields: EditableField[]
  reviewers: Reviewers
  approvals: number
  approvalsRequired: number
  requireRejectComment: boolean
  allowSelfApproval: boolean
  allowApiKeys: boolean
  createdAt: number
  expiresAt: number | null
  decidedAt: number | null
  /** null while open, and after a timeout or a withdrawal. */
  decision: { by: ReviewActor; comment: string | null; data: Record<string, unknown> } | null
  /** The review belongs to a test, and asks only the user who runs the test. */
  isTest: boolean
}

/** Filters of a list of reviews; null: all. */
export interface ReviewFilter {
  status: ReviewStatus | null
  workflowId: WorkflowId | null
  /** True: only those that are no longer open; false: only open ones; absent or null: both. */
  isDecided?: boolean | null
  /** Only those that ask this member; absent or null: all. */
  asks?: { userId: UserId | null; role: string } | null
  /** Of the open ones, only those that this voter (`user:<id>`) has not approved with the values proposed now; absent or null: all. */
  unapprovedBy?: string | null
  /** Newest first when absent; `deadline`: those that expire first, then those without a deadline, oldest first. */
  order?: 'deadline'
  /** The id of a review: only those after it in this order; absent or null: from the first. */
  after?: ReviewId | null
  page: number
  limit: number
}

/** A review with pending notifications. */
export interface DueNotice {
  reviewId: ReviewId
  workflowId: WorkflowId
  organizationId: OrganizationId
  runId: WorkflowRunId
  workflowName: string
  title: string
  /** Milliseconds since the epoch. */
  expiresAt: number | null
  /** The secret of the link, sealed. */
  sealedLink: string
  /** The recipients still to be notified. */
  notify: ReviewNotify
  /** From 1. */
  attempt: number
}

/** The reader of reviews: those of tests are visible to the user who runs the test. */
export interface ReviewScope extends Scope {
  /** The UUID of a signed-in person; absent or null: no reviews of tests. */
  testerId?: UserId | null
}

/** Port: the rows of reviews. Methods throw only when the database fails. */
export interface ReviewStore {
  find(scope: ReviewScope, reviewId: ReviewId): Promise<ReviewRecord | null>
  page(scope: ReviewScope, filter: ReviewFilter): Promise<{ rows: ReviewRecord[]; total: number }>
  /** The reviews of a run, oldest first; null if there is no such run in the scope. */
  ofRun(
    scope: RunScope,
    runId: WorkflowRunId,
    page: { page: number; limit: number },
  ): Promise<{ rows: ReviewRecord[]; total: number } | null>
  /**
   * The secret that authenticates a link, for any caller: the only read by secret instead of by scope. null
   * for an unknown review.
   */
  link(reviewId: ReviewId): Promise<{ organizationId: OrganizationId; hash: string | null } | null>
  /**
   * The vote of a voter (`user:<id>`, `apiKey:<id>` or `link`) on a review that `find` returned; null without
   * one.
   */
  voteOf(reviewId: ReviewId, voter: string): Promise<ReviewVote['decision'] | null>
  /** All votes on reviews that a read by scope returned, oldest first, at most 100 a review. */
  votes(reviewIds: readonly ReviewId[]): Promise<ReadonlyMap<ReviewId, CastVote[]>>
  /** The reviews that a voter (`user:<id>`) has approved. */
  approvedBy(voter: string, reviewIds: readonly ReviewId[]): Promise<ReadonlySet<ReviewId>>
  /** Decided reviews of nodes that are still waiting, in the order of the decisions. */
  answers(runId: WorkflowRunId): Promise<ReviewAnswer[]>
  /**
   * `open` past its deadline → `timeout`, and the runs continue; a paused run continues when it is resumed.
   * Returns the due deliveries.
   */
  expire(): Promise<Delivery[]>
  /** Claims reviews with pending notifications; no other caller gets them for `leaseSeconds`. */
  takeDueNotices(leaseSeconds: number): Promise<DueNotice[]>
  /**
   * Records the notifications still pending after an attempt; the next attempt is `retrySeconds` from now. null: all
   * are sent or abandoned, and the link's secret is erased. False if the review is no longer open: send no more.
   */
  noticed(reviewId: ReviewId, left: { notify: ReviewNotify; retrySeconds: number } | null): Promise<boolean>
}

/** The operations on reviews that workers need. */
export interface RunReviews {
  answers: ReviewStore['answers']
  /** The id and the link of a review about to be opened. */
  mint(): Pick<NewReview, 'reviewId' | 'link'>
  /** A commit has opened reviews: their notifications can be sent. Must not throw. */
  opened(): void
}

/** A voter's vote. */
export interface ReviewVote {
  name: string
  decision: 'approve' | 'reject'
  comment: string | null
  /** Every field as decided by the voter; empty once the trace of the run is erased. */
  data: Record<string, unknown>
}

/** A vote as shown to other reviewers. */
export interface CastVote extends ReviewVote {
  /** The fields as proposed to it; empty once the trace of the run is erased. */
  found: Record<string, unknown>
  /** `user:<id>`, `apiKey:<id>` or `link`. */
  voter: string
  /** Milliseconds since the epoch. */
  at: number
}

/** A vote on a review whose run is locked. */
export interface LockedVote extends ReviewVote {
  /** Milliseconds since the epoch. */
  at: number
}

/** A review inside a transaction that has locked its run. */
export interface LockedReview extends ReviewRecord {
  /** Its deadline has passed, by the database's clock. */
  isExpired: boolean
  /** Whether its run is in flight. */
  isRunActive: boolean
  /** The key or user that started the run. */
  startedBy: { apiKeyId: ApiKeyId | null; userId: UserId | null }
  /** The votes so far, by voter. */
  votes: ReadonlyMap<string, LockedVote>
}

/** The decision of an open review. */
export interface ReviewSettlement {
  reviewId: ReviewId
  runId: WorkflowRunId
  status: ReviewVerdict
  /** null for a timeout. */
  decision: NonNullable<ReviewRecord['decision']> | null
}

/** Decisions on reviews; exists only inside a transaction. */
export interface ReviewDecisions {
  /**
   * Locks the run, then reads the review: every decision on the run's reviews, and every end of the run, is
   * serialized with this transaction. null when the scope has no such review.
   */
  lock(scope: ReviewScope, reviewId: ReviewId): Promise<LockedReview | null>
  /** Stores a vote, replacing the voter's earlier one. */
  vote(
    vote: Omit<CastVote, 'at'> & {
      reviewId: ReviewId
      organizationId: OrganizationId
    },
  ): Promise<void>
  /** The values that the next reviewer of a quorum sees. */
  propose(reviewId: ReviewId, fields: readonly EditableField[]): Promise<void>
  /**
   * `open` → decided, and the run continues: a worker that holds it rereads its reviews, otherwise it becomes
   * due immediately; a paused run continues when it is resumed. null when the review was no longer open.
   */
  settle(settlement: ReviewSettlement): Promise<{ decidedAt: number; delivery: Delivery | null } | null>
}
