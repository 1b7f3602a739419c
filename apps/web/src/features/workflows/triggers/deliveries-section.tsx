import type { BuilderWorkflow } from '@troupe/builder-contract'
import { Inbox } from 'lucide-react'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Empty } from '../../../atoms/states/panels.tsx'
import type { Column } from '../../../atoms/table/columns.ts'
import { DataTable } from '../../../atoms/table/data-table.tsx'
import { byteSize } from '../../../core/format/numbers.ts'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { optionalParam } from '../../../core/url/search-params.ts'
import type { AnswerOf } from '../../../infrastructure/client/operation-types.ts'
import { useRefreshOn } from '../../../infrastructure/events/use-changes.ts'
import { useKeysetOperation } from '../../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { olderRows } from '../../../parts/lists/older-rows.ts'
import { DeliverySheet } from './delivery-sheet.tsx'
import styles from './triggers.module.css'

const words = triggerWords.deliveries
const PARAMS = { delivery: optionalParam }

type Delivery = AnswerOf<'listDeliveries'>['data'][number]

/** What called the webhook, accepted or not. */
export function DeliveriesSection({ workflow }: { workflow: BuilderWorkflow }) {
  const { workflowId } = workflow
  const [{ delivery }, setParams] = useSearchParams(PARAMS)
  const deliveries = useKeysetOperation('listDeliveries', { params: { workflowId }, query: { limit: 20 } })
  useRefreshOn([`deliveries:${workflowId}`], ['listDeliveries'])
  const open = (id: string) => setParams({ delivery: id }, { push: true })
  return (
    <Section title={words.title} detail={words.detail}>
      <AskedPanel asked={deliveries} failed={words.failed}>
        {(rows) => (
          <DataTable
            label={words.title}
            rows={rows}
            columns={columnsOf(open)}
            idOf={({ deliveryId }) => deliveryId}
            nameOf={({ deliveryId }) => deliveryId}
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

function columnsOf(open: (id: string) => void): readonly Column<Delivery>[] {
  return [
    {
      id: 'received',
      title: words.received,
      width: '136px',
      cell: ({ deliveryId, receivedAt }) => (
        <BareButton className={styles.open} onPress={() => open(deliveryId)}>
          <MomentText at={receivedAt} />
        </BareButton>
      ),
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
}
