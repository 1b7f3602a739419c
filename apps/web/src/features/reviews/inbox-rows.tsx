import { CircleCheck, Inbox, ShieldQuestionMark } from 'lucide-react'
import { Button } from '../../atoms/controls/button.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { ChoiceList } from '../../atoms/layout/choice-list.tsx'
import { useArrivals } from '../../atoms/motion/use-arrivals.ts'
import { Badge, Status } from '../../atoms/states/badge.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import { type InboxItem, unapproved } from '../../core/reviews/inbox.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { REVIEW_STATES } from './review-states.ts'
import styles from './reviews.module.css'
import { useItemPath } from './use-decide.ts'
import type { Inbox as LoadedInbox, ReviewsView } from './use-inbox.ts'

export interface InboxRowsProps {
  items: readonly InboxItem[]
  /** For rows that are not loaded yet. */
  inbox: Pick<LoadedInbox, 'hasMore' | 'isLoadingMore' | 'loadMore'>
  view: ReviewsView
  /** The id of the open item. */
  current: string | null
}

/** The rows of the inbox, or its empty state. */
export function InboxRows({ items, inbox, view, current }: InboxRowsProps) {
  const pathOf = useItemPath(view)
  const { role, projectId } = usePlace()
  const arrived = useArrivals(
    `${view} ${projectId}`,
    items.map(({ id }) => id),
    inbox.hasMore,
  )
  if (items.length === 0 && !inbox.hasMore) {
    return (
      <Empty picture={<CircleCheck size={22} />} title={words.emptyTitle[view]}>
        {role === 'reviewer' && view === 'all' ? words.emptyAsked : words.empty[view]}
      </Empty>
    )
  }
  const rows = items.map((item) => ({
    id: item.id,
    href: pathOf(item),
    title: item.title,
    detail: item.detail,
    lead: item.kind === 'review' ? <Inbox size={16} /> : <ShieldQuestionMark size={16} />,
    end: <RowEnd item={item} view={view} />,
  }))
  return (
    <>
      <ChoiceList label={words.views[view]} rows={rows} current={current} arrived={arrived} />
      {inbox.hasMore && (
        <Button emphasis="quiet" size="small" isPending={inbox.isLoadingMore} onPress={inbox.loadMore}>
          {words.more}
        </Button>
      )}
    </>
  )
}

function RowEnd({ item, view }: { item: InboxItem; view: ReviewsView }) {
  const { status, quorum, expiresAt, createdAt, hasApproved } = item
  if (view === 'decided') return <Status state={REVIEW_STATES[status]}>{words.statuses[status]}</Status>
  return (
    <span className={styles.rowEnd}>
      {hasApproved && <ApprovedMark view={view} />}
      {quorum && <Badge>{words.quorum(quorum.given, quorum.needed)}</Badge>}
      {expiresAt === null ? (
        <MomentText at={createdAt} />
      ) : (
        <span className={isNear(expiresAt) ? styles.near : undefined}>
          {words.dueWord} <MomentText at={expiresAt} />
        </span>
      )}
    </span>
  )
}

/** Approved ones are listed under Mine only if another approval has changed their values. */
function ApprovedMark({ view }: { view: ReviewsView }) {
  return view === 'mine' ? (
    <Badge tone="warn">{words.changedMark}</Badge>
  ) : (
    <Badge tone="good">{words.approvedMark}</Badge>
  )
}

const NEAR_S = 3_600
const isNear = (expiresAt: number) => expiresAt - serverNow() / 1_000 < NEAR_S

/** Beside the list, while nothing is open. */
export function NothingOpen({ items, view }: { items: readonly InboxItem[]; view: ReviewsView }) {
  const pathOf = useItemPath(view)
  if (items.length === 0) return null
  if (view === 'decided') {
    return (
      <Empty picture={<Inbox size={22} />} title={words.views.decided}>
        {words.chooseDecided}
      </Empty>
    )
  }
  const waiting = unapproved(items)
  const [first] = waiting
  if (!first) {
    return (
      <Empty picture={<Inbox size={22} />} title={words.allApproved(items.length)}>
        {words.allApprovedDetail}
      </Empty>
    )
  }
  return (
    <Empty
      picture={<Inbox size={22} />}
      title={words.choose(waiting.length)}
      actions={
        <LinkButton emphasis="primary" href={pathOf(first)}>
          {words.first}
        </LinkButton>
      }
    >
      {words.chooseDetail}
    </Empty>
  )
}
