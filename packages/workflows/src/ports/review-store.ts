import type { Scope } from '@troupe/agents/ports'
import type { OrganizationId, ProjectId, ReviewActor, WorkflowId, WorkflowRunId } from '@troupe/contract'
import type { Delivery } from '@troupe/turns'

/** The states of a review. Everything but `open` is final. */
export const REVIEW_STATUSES = ['open', 'approved', 'rejected', 'timeout', 'withdrawn'] as const
/** The state of a review. */
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]
/** How a review ended for its run; a withdrawn one has no run left to tell. */
export type ReviewVerdict = Exclude<ReviewStatus, 'open' | 'withdrawn'>

/** A value that reviewers may change. */
export interface EditableField {
  name: string
  label: string
  type: 'text' | 'textarea' | 'number' | 'select' | 'boolean'
  /** Of a `select`; empty for the others. */
  options: string[]
  required: boolean
  /** What is proposed: a value of the field's type, or null. */
  value: string | number | boolean | null
}

/** Who may decide. */
export interface Reviewers {
  kind: 'members' | 'roles' | 'users'
  roles: string[]
  userIds: string[]
}

/** Who is told that a review is open. */
export interface ReviewNotify {
  emails: string[]
  webhookUrl: string | null
}

/** Everything that a review is made of: what people see with its tokens filled in, and who may decide how. */
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
  /** Seconds from the activation on; null for no deadline. */
  timeoutSeconds: number | null
  notify: ReviewNotify
}

/** A review about to be opened by the commit that writes its node as `waiting`. */
export interface NewReview {
  reviewId: string
  path: string
  nodeId: string
  request: ReviewRequest
  /** The secret of its link: SHA-256 in hex, and sealed until everybody is told. */
  link: { hash: string; sealed: string }
}

/** What people said, as a run takes it. */
export interface ReviewAnswer {
  path: string
  nodeId: string
  decision: ReviewVerdict
  comment: string | null
  /** The fields as decided; after a timeout as proposed. */
  data: Record<string, unknown>
  /** null after a timeout. */
  reviewedBy: ReviewActor | null
  /** Unix seconds. */
  reviewedAt: number
}

/** A review as it is stored. Moments in milliseconds since the epoch. */
export interface ReviewRecord {
  reviewId: string
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
  /** With the values as they are proposed now: every approval of a quorum may change them. */
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
}

/** Which reviews a list shows; null: all. Newest first. */
export interface ReviewFilter {
  status: ReviewStatus | null
  workflowId: string | null
  page: number
  limit: number
}

/** A review whose people are to be told. */
export interface DueNotice {
  reviewId: string
  workflowId: WorkflowId
  organizationId: OrganizationId
  runId: WorkflowRunId
  workflowName: string
  title: string
  /** Milliseconds since the epoch. */
  expiresAt: number | null
  /** The secret of the link, sealed. */
  sealedLink: string
  /** Who is still to be told. */
  notify: ReviewNotify
  /** From 1 on. */
  attempt: number
}

/** Port: the rows of reviews. Methods throw only when the database fails. */
export interface ReviewStore {
  find(scope: Scope, reviewId: string): Promise<ReviewRecord | null>
  page(scope: Scope, filter: ReviewFilter): Promise<{ rows: ReviewRecord[]; total: number }>
  /** The reviews of a run, oldest first; null when there is no such run in the scope. */
  ofRun(
    scope: Scope,
    runId: WorkflowRunId,
    page: { page: number; limit: number },
  ): Promise<{ rows: ReviewRecord[]; total: number } | null>
  /** What proves a link, whoever asks: the one read by secret instead of by scope. null for an unknown review. */
  link(reviewId: string): Promise<{ organizationId: OrganizationId; hash: string | null } | null>
  /** What a voter (`user:<id>`, `apiKey:<id>` or `link`) has said to a review that `find` has found; null: nothing. */
  voteOf(reviewId: string, voter: string): Promise<ReviewVote['decision'] | null>
  /** Decided reviews of nodes that still wait, in the order of the decisions. */
  answers(runId: WorkflowRunId): Promise<ReviewAnswer[]>
  /**
   * `open` with a deadline that has passed → `timeout`, and the runs go on; a paused one by its resume. Returns the
   * deliveries that are due.
   */
  expire(): Promise<Delivery[]>
  /** Takes reviews whose people are to be told; nobody else gets them for `leaseSeconds`. */
  takeDueNotices(leaseSeconds: number): Promise<DueNotice[]>
  /**
   * What is left to tell after a try; the next one comes `retrySeconds` from now. null: everything is told or given up,
   * and the link's secret is forgotten. False when the review is not open any more: nobody else is to be told.
   */
  noticed(reviewId: string, left: { notify: ReviewNotify; retrySeconds: number } | null): Promise<boolean>
}

/** What workers need of reviews. */
export interface RunReviews {
  answers: ReviewStore['answers']
  /** What a review about to be opened is named and reached by. */
  mint(): Pick<NewReview, 'reviewId' | 'link'>
  /** A commit has opened reviews: their people can be told. Must not throw. */
  opened(): void
}

/** What a voter has said. */
export interface ReviewVote {
  name: string
  decision: 'approve' | 'reject'
  comment: string | null
  /** Every field as the voter decided it; empty once the trace of the run is erased. */
  data: Record<string, unknown>
}

/** A review in the hands of a transaction, its run locked. */
export interface LockedReview extends ReviewRecord {
  /** Its deadline has passed, by the database's clock. */
  isExpired: boolean
  /** Whether its run is in flight. */
  isRunActive: boolean
  /** Who started the run. */
  startedBy: { apiKeyId: string | null; userId: string | null }
  /** What has been said so far, by voter. */
  votes: ReadonlyMap<string, ReviewVote>
}

/** How an open review is decided. */
export interface ReviewSettlement {
  reviewId: string
  runId: WorkflowRunId
  status: ReviewVerdict
  /** null for a timeout. */
  decision: NonNullable<ReviewRecord['decision']> | null
}

/** Decisions about reviews; exists only inside a transaction. */
export interface ReviewDecisions {
  /**
   * Locks the run, then reads the review: everything that is decided about a run's reviews, and every end of the run,
   * comes wholly before or wholly after this transaction. null when there is no such review in the scope.
   */
  lock(scope: Scope, reviewId: string): Promise<LockedReview | null>
  /** What a voter says, in place of what the same one said before. */
  vote(
    vote: ReviewVote & {
      reviewId: string
      /** `user:<id>`, `apiKey:<id>` or `link`. */
      voter: string
      organizationId: OrganizationId
    },
  ): Promise<void>
  /** The values that the next reviewer of a quorum sees. */
  propose(reviewId: string, fields: readonly EditableField[]): Promise<void>
  /**
   * `open` → decided, and the run goes on: a worker that has it looks again, otherwise it is due at once; a paused one
   * goes on by its resume. Null when the review was not open any more.
   */
  settle(settlement: ReviewSettlement): Promise<{ decidedAt: number; delivery: Delivery | null } | null>
}
