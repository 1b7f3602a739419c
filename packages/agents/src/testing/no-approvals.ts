import type { ApprovalStore } from '../ports/approvals.ts'

/** Approvals that nobody decides. */
export const NO_APPROVALS: Pick<ApprovalStore, 'open' | 'verdict'> = {
  open: async () => {},
  verdict: async () => null,
}
