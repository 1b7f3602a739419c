import type {
  AgentId,
  ApprovalId,
  ApprovalStatus,
  OrganizationId,
  ProjectId,
  ReviewActor,
  RunId,
  WorkflowRunId,
} from '@troupe/contract'
import type { Delivery } from '@troupe/durable-work'
import type { Scope } from './scope.ts'

/** A tool call that waits for a person, before its row is written. */
export interface NewApproval {
  approvalId: ApprovalId
  /** The step of the run in which it was opened; unique in the run. */
  stepKey: string
  agentId: AgentId
  toolCallId: string
  toolName: string
  args: Readonly<Record<string, unknown>>
  /** Hash of the tool's name and the arguments: a decision only applies to these. */
  argsHash: string
  /** Milliseconds since the epoch. */
  expiresAt: number
  /**
   * The addresses listed by the tool, in lower case: their holders are asked regardless of their role. Absent: none.
   */
  asks?: readonly string[]
  /** Recipients of an e-mail with the approval's link; null if none. */
  notice: { emails: readonly string[]; link: ApprovalLink } | null
}

/** The secret of a link: hashed for comparison, sealed until every e-mail is sent. */
export interface ApprovalLink {
  hash: string
  sealed: string
}

/** Port: creates the links of approvals. */
export interface ApprovalLinks {
  mint(approvalId: ApprovalId): ApprovalLink
}

/** The outcome of an approval. */
export interface ApprovalVerdict {
  status: Exclude<ApprovalStatus, 'pending'>
  /** The person's reason; null if none. */
  reason: string | null
}

/** An approval as a list shows it; pending ones of ended runs, or past their deadline, count as expired. */
export interface ApprovalRecord extends Omit<NewApproval, 'stepKey' | 'argsHash' | 'notice'> {
  organizationId: OrganizationId
  projectId: ProjectId | null
  runId: RunId
  asks: readonly string[]
  /** The run of the workflow whose node the run is; null for every other run. */
  workflowRunId: WorkflowRunId | null
  agentName: string
  status: ApprovalStatus
  /** Milliseconds since the epoch. */
  createdAt: number
  /** When it was decided or found expired, in milliseconds since the epoch; null before. */
  resolvedAt: number | null
  resolvedBy: ReviewActor | null
  reason: string | null
}

/** Filter of a list of approvals. */
export interface ApprovalFilter {
  /** Only those that list this address; absent or null: all. */
  asks?: string | null
  /** `decided`: every approval that is no longer pending. */
  status: ApprovalStatus | 'decided' | null
  /** Newest first when absent; `deadline`: those that expire first. */
  order?: 'deadline'
  /** The id of an approval: only those after it in this order; absent or null: from the first. */
  after?: ApprovalId | null
  page: number
  limit: number
}

/**
 * Port: the approvals of tool calls. A row leaves `pending` once, by compare-and-set: of a decision, an expiry and an
 * end of the run, the first one counts.
 */
export interface ApprovalStore {
  /** Opens the approval of a run that lives in one process. Nothing is written once the run has ended. */
  open(run: { runId: RunId; organizationId: OrganizationId }, approval: NewApproval): Promise<void>
  /** The verdict; null while it is pending. Expires it if its deadline has passed by the database's clock. */
  verdict(approvalId: ApprovalId): Promise<ApprovalVerdict | null>
  /**
   * The runs of workflow nodes that need not wait any longer: an approval was decided or is past its deadline, or the
   * run has ended.
   */
  decided(runIds: readonly RunId[]): Promise<ReadonlySet<RunId>>
  /**
   * Continues the workflows whose nodes wait for an approval that is past its deadline; a paused one continues when it is
   * resumed. Returns the due deliveries.
   */
  continueLate(): Promise<Delivery[]>
  find(organizationId: OrganizationId, approvalId: ApprovalId): Promise<ApprovalRecord | null>
  page(scope: Scope, filter: ApprovalFilter): Promise<{ rows: ApprovalRecord[]; total: number }>
  /** Expires the approvals of ended runs, and erases arguments that their runs do not keep. */
  closeEnded(): Promise<void>
}

/** Port: decisions on approvals, within a transaction. */
export interface ApprovalDecisions {
  /**
   * Locks the run, then reads the approval: a decision is serialized with parks, claims and ends of the run. null if
   * the organization has no such approval.
   */
  lock(organizationId: OrganizationId, approvalId: ApprovalId): Promise<ApprovalRecord | null>
  /**
   * `pending` → decided, and the run continues: a parked job takes its next slice, a running job is due again when it
   * parks, a stream is signalled, the workflow of a node's run continues as after a review. Returns the delivery to
   * send, of a job or of a workflow; null if none is due yet.
   */
  settle(
    approval: Pick<ApprovalRecord, 'approvalId' | 'runId'>,
    verdict: ApprovalVerdict & { resolvedBy: ReviewActor | null },
  ): Promise<Delivery | null>
}
