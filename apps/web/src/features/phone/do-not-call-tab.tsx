import type { DoNotCallNumber } from '@troupe/contract/builder'
import { PhoneOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { SearchToolbar } from '../../atoms/layout/search-toolbar.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { Status } from '../../atoms/states/badge.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { LIST_PARAMS, PAGE_ROWS } from '../../core/url/list-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { AskedTable } from '../../parts/lists/asked-table.tsx'
import { ChangeReasonDialog, RemoveDoNotCallDialog } from './do-not-call-dialogs.tsx'

const words = phoneWords.doNotCall

const COLUMNS: readonly Column<DoNotCallNumber>[] = [
  {
    id: 'number',
    title: words.columns.number,
    width: '152px',
    cell: ({ e164 }) => <code translate="no">{e164}</code>,
    under: ({ reason }) => reason,
  },
  {
    id: 'status',
    title: words.columns.status,
    width: '120px',
    cell: ({ status }) =>
      status === 'proposed' ? (
        <Status state="warning">{words.statuses.proposed}</Status>
      ) : (
        <Status state="completed">{words.statuses.confirmed}</Status>
      ),
  },
  { id: 'reason', title: words.columns.reason, from: 'wide', cell: ({ reason }) => reason },
  {
    id: 'since',
    title: words.columns.since,
    width: '136px',
    from: 'wider',
    cell: ({ createdAt }) => <MomentText at={createdAt} />,
  },
]

type Question = { kind: 'change' | 'remove'; number: DoNotCallNumber }

/** Blocked numbers, and proposals to decide. */
export function DoNotCallTab({ create }: { create: ReactNode }) {
  const refused = useEntryRefusal('manage')
  const [{ q, page }, setParams] = useSearchParams(LIST_PARAMS)
  const [question, setQuestion] = useState<Question | null>(null)
  const numbers = useOperation('listDoNotCall', { query: { page, limit: PAGE_ROWS, ...(q ? { q } : {}) } })
  const confirm = useChange('confirmDoNotCall', { refreshes: ['listDoNotCall'] })
  const close = () => setQuestion(null)
  const agree = async ({ e164, reason }: DoNotCallNumber) => {
    if (await confirm.run({ body: { e164, reason } })) showNotice({ title: words.confirmed(e164) })
  }
  const actionsOf = (number: DoNotCallNumber) => {
    const ask = (kind: Question['kind']) => () => setQuestion({ kind, number })
    const isProposed = number.status === 'proposed'
    const remove = isProposed ? words.dismiss : words.remove
    return (
      <ActionMenu
        label={phoneWords.actions(number.e164)}
        entries={[
          isProposed
            ? { id: 'confirm', label: words.confirm, ...refused, onAction: () => void agree(number) }
            : { id: 'change', label: phoneWords.change, ...refused, onAction: ask('change') },
          { id: 'remove', label: remove, isDanger: true, ...refused, onAction: ask('remove') },
        ]}
      />
    )
  }
  return (
    <>
      <SearchToolbar label={words.search} value={q} onChange={(text) => setParams({ q: text, page: 1 })} />
      <FailurePanel title={words.confirmFailed} failure={confirm.failure} />
      <AskedTable
        asked={numbers}
        words={{ ...words, noneTitle: phoneWords.noneTitle }}
        label={phoneWords.tabs['do-not-call']}
        columns={COLUMNS}
        idOf={({ e164 }) => e164}
        nameOf={({ e164 }) => e164}
        actionsOf={actionsOf}
        page={page}
        onTurn={(page, turn) => setParams({ page }, turn)}
        isFiltered={q !== ''}
        picture={<PhoneOff size={22} />}
        firstActions={create}
      />
      {question?.kind === 'change' && <ChangeReasonDialog number={question.number} onClose={close} />}
      {question?.kind === 'remove' && <RemoveDoNotCallDialog number={question.number} onClose={close} />}
    </>
  )
}
