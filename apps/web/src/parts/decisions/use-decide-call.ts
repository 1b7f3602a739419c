import type { ApprovalId, IdText } from '@troupe/contract'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { decideWords as words } from '../../core/messages/en/parts/decide.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'

type Decision = 'approve' | 'reject'

/** Approves or rejects a tool call without a reason, and shows the result in a notice. */
export function useDecideCall(approvalId: IdText<ApprovalId>, what: string) {
  const resolve = useChange('resolveApproval', {
    refreshes: ['getHome', 'listApprovals', 'getApproval', 'getRun', 'listRuns'],
  })
  const decide = async (decision: Decision) => {
    const done = await resolve.run({ params: { approvalId }, body: { decision } }, ({ message }) =>
      showNotice({ tone: 'bad', title: words.failed(what), detail: message }),
    )
    if (done) showNotice({ title: words.done[decision](what) })
  }
  return { isPending: resolve.isPending, decide: (decision: Decision) => void decide(decision) }
}
