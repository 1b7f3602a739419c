import type { PhoneTrunk } from '@troupe/contract/builder'
import { Network } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { wholeNumber } from '../../core/format/numbers.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { rowsOfPage, trunkRows } from '../../core/phone/phone-rows.ts'
import { LIST_PARAMS, PAGE_ROWS } from '../../core/url/list-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { AskedTable } from '../../parts/lists/asked-table.tsx'
import { changedColumn } from '../../parts/lists/list-columns.tsx'
import { turningOf } from '../../parts/lists/turning.ts'
import { TrunkBadge } from './trunk-badge.tsx'
import { useTrunks } from './use-trunks.ts'

const words = phoneWords.trunks

const COLUMNS: readonly Column<PhoneTrunk>[] = [
  {
    id: 'name',
    title: words.columns.name,
    isSortable: true,
    cell: ({ name }) => name,
    under: ({ address }) => address,
  },
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
  changedColumn(words.columns.changed, 'widest'),
]

const NONE: readonly PhoneTrunk[] = []

/** Connections to carriers, each with its provisioning state. */
export function TrunksTab({ create }: { create: ReactNode }) {
  const { paths, projectId } = usePlace()
  const [{ q, sort, page }, setParams] = useSearchParams(LIST_PARAMS)
  const trunks = useTrunks()
  const found = trunkRows(trunks.data?.data ?? NONE, { q, sort, projectId })
  const data = trunks.data && { data: rowsOfPage(found, page, PAGE_ROWS), total: found.length }
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <AskedTable
        asked={{ ...trunks, data }}
        words={{ ...words, noneTitle: phoneWords.noneTitle }}
        label={phoneWords.tabs.trunks}
        columns={COLUMNS}
        idOf={({ trunkId }) => trunkId}
        nameOf={({ name }) => name}
        hasTiles
        hrefOf={({ trunkId }) => paths.phoneTrunk(trunkId)}
        {...turningOf({ sort, page }, setParams)}
        isFiltered={q !== ''}
        picture={<Network size={22} />}
        firstActions={create}
      />
    </>
  )
}
