import { Hash } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { numberRows } from '../../core/phone/phone-rows.ts'
import { LIST_PARAMS } from '../../core/url/list-params.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { columnsOfNumbers, NumbersTable } from './numbers-table.tsx'
import { useTrunks } from './use-trunks.ts'

const words = phoneWords.numbers

/** The numbers of every trunk. */
export function NumbersTab({ create }: { create: ReactNode }) {
  const { paths, projectId } = usePlace()
  const [{ q, page }, setParams] = useSearchParams(LIST_PARAMS)
  const trunks = useTrunks()
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <AskedPanel
        asked={trunks}
        failed={phoneWords.trunks.failed}
        waiting={<WaitingTable columns={columnsOfNumbers(paths)} hasActions />}
      >
        {({ data }) => (
          <NumbersTable
            rows={numberRows(data, { q, projectId })}
            page={page}
            onTurn={(page, turn) => setParams({ page }, turn)}
            isFormer={trunks.isFormer}
            empty={
              <Empty
                picture={<Hash size={22} />}
                title={q ? phoneWords.noneTitle : words.emptyTitle}
                {...(q ? {} : { actions: create })}
              >
                {q ? words.none : words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
    </>
  )
}
