import type { AuditedChange } from '@troupe/builder-contract'
import { History } from 'lucide-react'
import { Select } from '../../atoms/controls/select.tsx'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { Facts, Toolbar } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { readableText } from '../../core/format/readable-text.ts'
import { fullTime } from '../../core/format/times.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { withSearch } from '../../core/url/paths.ts'
import { choiceParam, optionalParam } from '../../core/url/search-params.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/session/session.ts'
import { olderRows } from '../../parts/lists/older-rows.ts'
import { RefusedSettings } from './refused-settings.tsx'
import { SettingsLayout } from './settings-layout.tsx'

const words = settingsWords.audit

const KINDS = [
  'any',
  'agent',
  'team',
  'workflow',
  'api_key',
  'llm_configuration',
  'member',
  'invitation',
  'project',
  'budget',
  'organization',
] as const
const PARAMS = { kind: choiceParam(KINDS, 'any'), change: optionalParam }

const whoOf = ({ actor }: AuditedChange) => actor.name ?? words.actors[actor.kind]
const whatOf = ({ entity }: AuditedChange) => entity.name ?? entity.kind.replaceAll('_', ' ')

const COLUMNS: readonly Column<AuditedChange>[] = [
  { id: 'what', title: words.what, width: '32%', cell: whatOf },
  { id: 'action', title: words.action, cell: ({ action }) => <code>{action}</code> },
  { id: 'who', title: words.who, width: '160px', from: 'wide', cell: whoOf },
  { id: 'when', title: words.when, width: '136px', from: 'wide', cell: ({ at }) => <MomentText at={at} /> },
]

/** Settings → Audit log. */
export function AuditPage() {
  const { may } = usePlace()
  return may('manage') ? <ListedChanges /> : <RefusedSettings page="audit" detail={words.detail} />
}

/** A row opens what was before and after. */
function ListedChanges() {
  const { paths } = usePlace()
  const [{ kind, change }, setParams] = useSearchParams(PARAMS)
  const changes = useKeysetOperation('listAudit', {
    query: { limit: 100, ...(kind === 'any' ? {} : { entityKind: kind }) },
  })
  const opened = changes.data?.find(({ id }) => id === change) ?? null
  const hrefOf = ({ id }: AuditedChange) =>
    withSearch(paths.settings('audit'), { kind: kind === 'any' ? null : kind, change: id })
  return (
    <SettingsLayout
      page="audit"
      detail={words.detail}
      width="wide"
      requests={[
        {
          title: words.curl,
          operation: 'listAudit',
          input: kind === 'any' ? {} : { query: { entityKind: kind } },
        },
      ]}
    >
      <Toolbar label={words.kind}>
        <Select
          label={words.kind}
          isLabelHidden
          value={kind}
          onChange={(next) => setParams({ kind: next })}
          options={KINDS.map((id) => ({ id, label: id === 'any' ? words.anyKind : id.replaceAll('_', ' ') }))}
        />
      </Toolbar>
      <AskedPanel asked={changes} failed={words.failed}>
        {(rows) => (
          <DataTable
            label={settingsWords.pages.audit}
            rows={rows}
            columns={COLUMNS}
            idOf={({ id }) => id}
            nameOf={(row) => `${row.action} ${whatOf(row)}`}
            hrefOf={hrefOf}
            {...olderRows(changes, words.more)}
            empty={
              <Empty picture={<History size={22} />} title={words.emptyTitle}>
                {words.empty}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      <SideSheet
        isOpen={opened !== null}
        onClose={() => setParams({ change: null })}
        title={opened?.action ?? ''}
      >
        {opened && <ChangeDetails change={opened} />}
      </SideSheet>
    </SettingsLayout>
  )
}

function ChangeDetails({ change }: { change: AuditedChange }) {
  const { actor, entity, at, before, after, requestId } = change
  const isEmpty = before === null && after === null
  return (
    <>
      <Facts
        facts={[
          { name: words.what, value: whatOf(change) },
          { name: words.kind, value: entity.kind },
          { name: words.who, value: whoOf(change) },
          { name: words.when, value: fullTime(at) },
          ...(actor.ip === null ? [] : [{ name: words.address, value: <code>{actor.ip}</code> }]),
          ...(requestId === null ? [] : [{ name: words.request, value: <code>{requestId}</code> }]),
        ]}
      />
      {isEmpty ? (
        <p>{words.nothing}</p>
      ) : (
        <TextDiff label={words.changes} before={asText(before)} after={asText(after)} />
      )}
    </>
  )
}

const asText = (value: unknown) => (value === null ? '' : readableText(value))
