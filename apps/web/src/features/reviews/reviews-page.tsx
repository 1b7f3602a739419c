import { optionalParam } from '../../core/url/search-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { ApprovalPanel } from './approval-panel.tsx'
import { InboxPage } from './inbox-page.tsx'

const PARAMS = { approval: optionalParam }

/** The inbox: open decisions, the nearest deadline first. `?approval=` opens the approval of a tool call. */
export function ReviewsPage() {
  const [{ approval }] = useSearchParams(PARAMS)
  if (approval === null) return <InboxPage current={null} detail={null} />
  return (
    <InboxPage
      current={approval}
      detail={(decide) => <ApprovalPanel key={approval} approvalId={approval} decide={decide} />}
    />
  )
}
