import type { PhoneTrunk } from '@troupe/contract/builder'
import { Network } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { rowsOfPage, trunkRows } from '../../core/phone/phone-rows.ts'
import { LIST_PARAMS, PAGE_ROWS } from '../../core/url/list-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { turningOf } from '../../parts/lists/turning.ts'
import { TrunkBadge } from './trunk-badge.tsx'
import { useTrunks } from './use-trunks.ts'

const words = phoneWords.trunks

const leadOfRow = ({ trunkId, name }: PhoneTrunk) => (
  <Avatar id={trunkId} name={name} shape="square" size="small" />
)

const COLUMNS: readonly Column<PhoneTrunk>[] = [
  { id: 'name', title: words.columns.name, isSortable: true, cell: ({ name }) => name },
  {
    id: 'state',
    title: words.columns.state,
    width: '168px',
    cell: (trunk) => <TrunkBadge trunk={trunk} />,
  },
  {
    id: 'address',
    title: words.columns.address,
    from: 'wider',
    cell: ({ address }) => <code translate="no">{address}</code>,
  },
  {
    id: 'numbers',
    title: words.columns.numbers,
    width: '96px',
    align: 'end',
    from: 'wide',
    cell: ({ numbers }) => wholeNumber(numbers.length),
  },
  {
    id: 'changed',
    title: words.columns.changed,
    width: '136px',
    from: 'widest',
    cell: ({ updatedAt }) => <MomentText at={updatedAt} />,
  },
]

/** Connections to carriers, each with its provisioning state. */
export function TrunksTab({ create }: { create: ReactNode }) {
  const { paths, projectId } = usePlace()
  const [{ q, sort, page }, setParams] = useSearchParams(LIST_PARAMS)
  const trunks = useTrunks()
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <AskedPanel asked={trunks} failed={words.failed} waiting={<WaitingTable columns={COLUMNS} hasLead />}>
        {({ data }) => {
          const found = trunkRows(data, { q, sort, projectId })
          return (
            <PagedTable
              label={phoneWords.tabs.trunks}
              rows={rowsOfPage(found, page, PAGE_ROWS)}
              total={found.length}
              columns={COLUMNS}
              idOf={({ trunkId }) => trunkId}
              nameOf={({ name }) => name}
              leadOf={leadOfRow}
              hrefOf={({ trunkId }) => paths.phoneTrunk(trunkId)}
              isFormer={trunks.isFormer}
              {...turningOf({ sort, page }, setParams)}
              empty={
                <Empty
                  picture={<Network size={22} />}
                  title={q ? phoneWords.noneTitle : words.emptyTitle}
                  {...(q ? {} : { actions: create })}
                >
                  {q ? words.none : words.empty}
                </Empty>
              }
            />
          )
        }}
      </AskedPanel>
    </>
  )
}
