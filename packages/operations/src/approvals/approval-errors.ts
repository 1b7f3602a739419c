import type { ApprovalRecord } from '@troupe/agents/ports'
import { DomainError, deciderName } from '@troupe/contract'

/** The error for an approval id: one text for unknown, foreign and malformed ids. */
export function approvalNotFound(): DomainError {
  return new DomainError('approval_not_found', 'Approval not found.')
}

/** The state of an approval as a sentence. */
export function approvalText({
  status,
  resolvedBy,
  reason,
}: Pick<ApprovalRecord, 'status' | 'resolvedBy' | 'reason'>) {
  const by = resolvedBy ? ` by ${deciderName(resolvedBy)}` : ''
  switch (status) {
    case 'pending':
      return 'The call waits for a decision.'
    case 'approved':
      return `The call was approved${by}.`
    case 'denied':
      return `The call was rejected${by}.`
    case 'expired':
      return reason ?? 'The deadline of this approval has passed.'
    default:
      return status satisfies never
  }
}
