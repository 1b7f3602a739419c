import type { BuilderWorkflow } from '@troupe/contract/builder'
import { Inbox } from 'lucide-react'
import { Section } from '../../../atoms/layout/page.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import type { Column } from '../../../atoms/table/columns.ts'
import { DataTable } from '../../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../../atoms/table/waiting-table.tsx'
import { byteSize } from '../../../core/format/numbers.ts'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { withSearch } from '../../../core/url/paths.ts'
import { optionalParam } from '../../../core/url/search-params.ts'
import type { AnswerOf } from '../../../infrastructure/client/operation-types.ts'
import { useRefreshOn } from '../../../infrastructure/events/use-changes.ts'
import { useKeysetOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { olderRows } from '../../../parts/lists/older-rows.ts'
import { DeliverySheet } from './delivery-sheet.tsx'

const words = triggerWords.deliveries
const PARAMS = { delivery: optionalParam }

type Delivery = AnswerOf<'listDeliveries'>['data'][number]

const COLUMNS: readonly Column<Delivery>[] = [
  {
    id: 'received',
    title: words.received,
    width: '136px',
    cell: ({ receivedAt }) => <MomentText at={receivedAt} />,
  },
  {
    id: 'status',
    title: words.status,
    width: '88px',
    cell: ({ status }) => <Badge tone={status < 300 ? 'good' : 'bad'}>{status}</Badge>,
  },
  { id: 'result', title: words.result, cell: ({ reason }) => reason ?? words.accepted },
  {
    id: 'size',
    title: words.size,
    align: 'end',
    width: '96px',
    from: 'wide',
    cell: ({ bodyBytes }) => byteSize(bodyBytes),
  },
  { id: 'ip', title: words.ip, width: '160px', from: 'widest', cell: ({ ip }) => ip ?? '–' },
]

/** The calls of the webhook, accepted or not. */
export function DeliveriesSection({ workflow }: { workflow: BuilderWorkflow }) {
  const { workflowId } = workflow
  const { paths } = usePlace()
  const [{ delivery }, setParams] = useSearchParams(PARAMS)
  const deliveries = useKeysetOperation('listDeliveries', { params: { workflowId }, query: { limit: 20 } })
  useRefreshOn([`deliveries:${workflowId}`], ['listDeliveries'])
  const hrefOf = ({ deliveryId }: Delivery) =>
    withSearch(paths.workflow(workflowId, 'triggers'), { delivery: deliveryId })
  return (
    <Section title={words.title} detail={words.detail}>
      <AskedPanel asked={deliveries} failed={words.failed} waiting={<WaitingTable columns={COLUMNS} />}>
        {(rows) => (
          <DataTable
            label={words.title}
            rows={rows}
            columns={COLUMNS}
            idOf={({ deliveryId }) => deliveryId}
            nameOf={({ deliveryId }) => deliveryId}
            hrefOf={hrefOf}
            {...olderRows(deliveries, words.more)}
            empty={
              <Empty picture={<Inbox size={22} />} title={words.emptyTitle}>
                {words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      {delivery !== null && (
        <DeliverySheet
          workflow={workflow}
          deliveryId={delivery}
          onClose={() => setParams({ delivery: null })}
        />
      )}
    </Section>
  )
}
