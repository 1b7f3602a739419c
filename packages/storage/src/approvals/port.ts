import type { ApprovalId, OrganizationId } from '@troupe/contract'

/** An approval with e-mails that are due. */
export interface DueApprovalNotice {
  approvalId: ApprovalId
  organizationId: OrganizationId
  agentName: string
  toolName: string
  /** Milliseconds since the epoch. */
  expiresAt: number
  sealedLink: string
  /** The recipients still to be notified. */
  notify: { emails: string[]; webhookUrl: null }
  /** Counts from 1. */
  attempt: number
}

/** Approval links and their e-mails. */
export interface ApprovalNotices {
  /** The organization and the hash of the link's secret; the hash is null without a link. */
  link(approvalId: ApprovalId): Promise<{ organizationId: OrganizationId; hash: string | null } | null>
  /** Takes pending approvals whose e-mails are due; they are due again when the lease ends. */
  takeDueNotices(leaseSeconds: number): Promise<DueApprovalNotice[]>
  /** Records the remaining recipients; null if there are none. False if the approval is no longer pending. */
  noticed(
    approvalId: ApprovalId,
    left: { notify: DueApprovalNotice['notify']; retrySeconds: number } | null,
  ): Promise<boolean>
}
