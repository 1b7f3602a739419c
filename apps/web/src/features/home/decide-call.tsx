import type { HomeView } from '@troupe/contract/builder'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { homeWords } from '../../core/messages/en/operate/home.ts'
import { decideWords as words } from '../../core/messages/en/parts/decide.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useDecideCall } from '../../parts/decisions/use-decide-call.ts'

/** Approves or rejects a tool call in its row. A rejection with a reason is made on its own page. */
export function DecideCall({ approval }: { approval: HomeView['approvals']['next'][number] }) {
  const { approvalId, agentName, toolName } = approval
  const { decide, isPending } = useDecideCall(approvalId, homeWords.approval(agentName, toolName))
  const shared = { refusal: useRefusal('decide'), size: 'small', isPending } as const
  return (
    <>
      <RefusableButton {...shared} onPress={() => decide('approve')}>
        {words.approve}
      </RefusableButton>
      <RefusableButton {...shared} emphasis="quiet" onPress={() => decide('reject')}>
        {words.reject}
      </RefusableButton>
    </>
  )
}
