import type { HomeView } from '@troupe/builder-contract'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { homeWords } from '../../core/messages/en/operate/home.ts'
import { useChange } from '../../infrastructure/queries/use-operation.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'

const words = homeWords.decide

/** Approves or rejects a call of a tool in its row. With a reason, it is rejected on its own page. */
export function DecideCall({ approval }: { approval: HomeView['approvals']['next'][number] }) {
  const { approvalId, agentName, toolName } = approval
  const refusal = useRefusal('decide')
  const resolve = useChange('resolveApproval', {
    refreshes: ['getHome', 'listApprovals', 'getApproval', 'getRun'],
  })
  const decide = async (decision: 'approve' | 'reject') => {
    const what = homeWords.approval(agentName, toolName)
    const done = await resolve.run({ params: { approvalId }, body: { decision } }, ({ message }) =>
      showNotice({ tone: 'bad', title: words.failed(what), detail: message }),
    )
    if (done) showNotice({ title: words.done[decision](what) })
  }
  const shared = { refusal, size: 'small', isPending: resolve.isPending } as const
  return (
    <>
      <RefusableButton {...shared} onPress={() => void decide('approve')}>
        {words.approve}
      </RefusableButton>
      <RefusableButton {...shared} emphasis="quiet" onPress={() => void decide('reject')}>
        {words.reject}
      </RefusableButton>
    </>
  )
}
