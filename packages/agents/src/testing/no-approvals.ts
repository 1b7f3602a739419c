import type { ApprovalLinks, ApprovalStore } from '../ports/approvals.ts'

/** Approvals that nobody decides. */
export const NO_APPROVALS: Pick<ApprovalStore, 'open' | 'verdict'> = {
  open: async () => {},
  verdict: async () => null,
}

/** Links without a secret. */
export const NO_APPROVAL_LINKS: ApprovalLinks = {
  mint: () => ({ hash: '', sealed: '' }),
}
