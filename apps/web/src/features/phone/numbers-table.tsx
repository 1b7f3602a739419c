import type { PhoneNumber, PhoneTrunk } from '@troupe/contract/builder'
import { type ReactNode, useState } from 'react'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { Avatar } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import type { PageTurn } from '../../atoms/table/page-turner.tsx'
import { PagedTable } from '../../atoms/table/paged-table.tsx'
import { listWords } from '../../core/messages/en/lists.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { type NumberRow, rowsOfPage } from '../../core/phone/phone-rows.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import type { OrganizationPaths } from '../../core/url/paths.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import styles from './phone.module.css'

const NumberDialog = lazyPart(async () => (await import('./number-dialog.tsx')).NumberDialog)

const words = phoneWords.numbers

const NUMBER: Column<NumberRow> = {
  id: 'number',
  title: words.columns.number,
  width: '176px',
  cell: ({ e164 }) => <code translate="no">{e164}</code>,
}
const agentColumn = (paths: OrganizationPaths): Column<NumberRow> => ({
  id: 'agent',
  title: words.columns.agent,
  cell: ({ speaker }) =>
    speaker ? (
      <span className={styles.speaker}>
        <Avatar id={speaker.agentId} name={speaker.agentName} shape="square" size="small" />
        <TextLink href={paths.agent(speaker.agentId)} look="plain">
          {speaker.agentName}
        </TextLink>
      </span>
    ) : (
      <span className={styles.nobody}>{words.noVoice}</span>
    ),
})
const trunkColumn = (paths: OrganizationPaths): Column<NumberRow> => ({
  id: 'trunk',
  title: words.columns.trunk,
  from: 'wide',
  cell: ({ trunk }) => (
    <TextLink href={paths.phoneTrunk(trunk.trunkId)} look="plain">
      {trunk.name}
    </TextLink>
  ),
})
const SLUG: Column<NumberRow> = {
  id: 'slug',
  title: words.columns.slug,
  from: 'widest',
  cell: ({ slug }) => <code translate="no">{slug}</code>,
}

/** The columns of numbers of several trunks. */
export const columnsOfNumbers = (paths: OrganizationPaths): readonly Column<NumberRow>[] => [
  NUMBER,
  agentColumn(paths),
  trunkColumn(paths),
  SLUG,
]

export interface NumbersTableProps {
  rows: readonly NumberRow[]
  page: number
  onTurn(page: number, turn: PageTurn): void
  isFormer: boolean
  empty: ReactNode
  /** All rows belong to this trunk; if absent, their trunks are shown. */
  trunk?: PhoneTrunk
}

/** Numbers with their agents and actions. */
export function NumbersTable({ rows, page, onTurn, isFormer, empty, trunk }: NumbersTableProps) {
  const { paths } = usePlace()
  const refused = useEntryRefusal('manage')
  const [question, setQuestion] = useState<{ kind: 'change' | 'remove'; number: PhoneNumber } | null>(null)
  const close = () => setQuestion(null)
  const columns = trunk ? [NUMBER, agentColumn(paths), SLUG] : columnsOfNumbers(paths)
  const entry = (number: NumberRow, kind: 'change' | 'remove') => ({
    id: kind,
    label: phoneWords[kind],
    isDanger: kind === 'remove',
    ...refused,
    onAction: () => setQuestion({ kind, number }),
  })
  const actionsOf = (row: NumberRow) => (
    <ActionMenu label={phoneWords.actions(row.e164)} entries={[entry(row, 'change'), entry(row, 'remove')]} />
  )
  return (
    <>
      <PagedTable
        label={phoneWords.tabs.numbers}
        rows={rowsOfPage(rows, page, PAGE_ROWS)}
        total={rows.length}
        columns={columns}
        idOf={({ phoneNumberId }) => phoneNumberId}
        nameOf={({ e164 }) => e164}
        isFormer={isFormer}
        actionsOf={actionsOf}
        page={page}
        limit={PAGE_ROWS}
        words={listWords}
        onTurn={onTurn}
        empty={empty}
      />
      {question?.kind === 'change' && (
        <LazyDialog>
          <NumberDialog number={question.number} trunkId={question.number.trunkId} onClose={close} />
        </LazyDialog>
      )}
      {question?.kind === 'remove' && <DeleteNumberDialog number={question.number} onClose={close} />}
    </>
  )
}

function DeleteNumberDialog({ number, onClose }: { number: PhoneNumber; onClose(): void }) {
  const { phoneNumberId, e164 } = number
  return (
    <ConfirmChange
      operation="deletePhoneNumber"
      input={{ params: { phoneNumberId } }}
      refreshes={['listPhoneTrunks', 'listVoiceConfigurations', 'getVoiceConfiguration']}
      title={words.removeTitle(e164)}
      action={words.removeAction}
      failed={words.removeFailed}
      done={words.removed(e164)}
      onClose={onClose}
    >
      <p>{words.removeDetail}</p>
    </ConfirmChange>
  )
}
