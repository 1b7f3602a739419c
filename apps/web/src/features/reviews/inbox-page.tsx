import type { ReactNode } from 'react'
import { Segments } from '../../atoms/controls/choices.tsx'
import { MasterDetail } from '../../atoms/layout/master-detail.tsx'
import { PageLayout } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { reviewWords as words } from '../../core/messages/en/operate/reviews.ts'
import type { InboxItem } from '../../core/reviews/inbox.ts'
import { useKeys } from '../../infrastructure/keys/use-keys.ts'
import { useGoTo, useSearchParams } from '../../infrastructure/routing/place.ts'
import { useFoundFocus } from '../../infrastructure/routing/use-found-focus.ts'
import { InboxRows, NothingOpen } from './inbox-rows.tsx'
import { type DecisionCall, useDecide, useItemPath } from './use-decide.ts'
import { INBOX_PARAMS, INBOX_VIEWS, type ReviewsView, useInbox } from './use-inbox.ts'

export interface InboxPageProps {
  /** The id of the open item; null: none is. */
  current: string | null
  /** The title of the open item, when it is not in the list. */
  title?: string | undefined
  /** The open item; null: none. */
  detail: ((decide: (call: DecisionCall) => void) => ReactNode) | null
}

/** The list of open decisions, with the selected one beside it. On a phone one after the other. */
export function InboxPage({ current, title, detail }: InboxPageProps) {
  const [{ view }, setParams] = useSearchParams(INBOX_PARAMS)
  const inbox = useInbox(view)
  const items = inbox.data ?? []
  const pathOf = useItemPath(view)
  const decide = useDecide(items, view)
  useInboxKeys(items, current, pathOf)
  // Approvals of tools have the path of the inbox.
  useFoundFocus(current ?? '')
  const open = items.find(({ id }) => id === current)
  return (
    <PageLayout
      title={open?.title ?? title ?? words.title}
      {...(detail === null
        ? { detail: words.detail }
        : { crumbs: [{ label: words.title, href: pathOf(null) }] })}
    >
      <MasterDetail
        label={words.list}
        isDetailOpen={detail !== null}
        list={
          <>
            <Segments<ReviewsView>
              label={words.view}
              value={view}
              onChange={(next) => setParams({ view: next })}
              options={INBOX_VIEWS.map((id) => ({ id, label: words.views[id] }))}
            />
            <AskedPanel asked={inbox} failed={words.failed} lines={6}>
              {(rows) => <InboxRows items={rows} inbox={inbox} view={view} current={current} />}
            </AskedPanel>
          </>
        }
        detail={detail ? detail(decide) : <NothingOpen items={items} view={view} />}
      />
    </PageLayout>
  )
}

/** `J` and `K` open the item after and before the open one. */
function useInboxKeys(
  items: readonly InboxItem[],
  current: string | null,
  pathOf: (item: InboxItem) => string,
): void {
  const goTo = useGoTo()
  const move = (step: number) => {
    const index = items.findIndex(({ id }) => id === current)
    const next = items[index === -1 ? 0 : index + step]
    if (next) goTo(pathOf(next), { replace: current !== null })
  }
  useKeys([
    { keys: 'j', label: words.next, run: () => move(1) },
    { keys: 'k', label: words.previous, run: () => move(-1) },
  ])
}
