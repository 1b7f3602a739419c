import { AUDITED_KINDS } from '@troupe/contract'
import type { AuditedChange } from '@troupe/contract/builder'
import { History } from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { Facts } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { GonePanel } from '../../atoms/states/gone-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { actionText } from '../../core/audit/action-text.ts'
import { AUDIT_PARAMS, auditQuery, fittingFilters, WHOLE_AUDIT_LOG } from '../../core/audit/audit-filter.ts'
import { decidedIn, entityLink } from '../../core/audit/audited-links.ts'
import { readableText } from '../../core/format/readable-text.ts'
import { fullTime } from '../../core/format/times.ts'
import { authorFirst } from '../../core/labels/author-name.ts'
import { auditWords as words } from '../../core/messages/en/settings/audit.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { withSearch } from '../../core/url/paths.ts'
import { writeParams } from '../../core/url/search-params.ts'
import { useKeysetOperation, useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchAction } from '../../parts/gone/search-action.tsx'
import { olderRows } from '../../parts/lists/older-rows.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTile } from './audit-tile.tsx'
import { RefusedSettings } from './refused-settings.tsx'
import styles from './settings.module.css'
import { SettingsLayout } from './settings-layout.tsx'

const nameOfChange = (change: AuditedChange) => `${actionOf(change)}: ${whatOf(change)}`
const idOfChange = ({ id }: AuditedChange) => id
const whoOf = ({ actor }: AuditedChange) => authorFirst(actor)
const whatOf = ({ entity }: AuditedChange) => entity.name ?? kindOf(entity)
const kindOf = ({ kind }: AuditedChange['entity']) => {
  const known = AUDITED_KINDS.find((one) => one === kind)
  return known ? words.kinds[known] : kind
}

const actionOf = ({ action }: AuditedChange) => actionText(action)

const leadOfRow = ({ entity }: AuditedChange) => <AuditTile kind={entity.kind} />

const COLUMNS: readonly Column<AuditedChange>[] = [
  { id: 'what', title: words.what, width: 'clamp(7rem, 36%, 24rem)', cell: whatOf, under: whoOf },
  { id: 'action', title: words.action, cell: actionOf, under: ({ at }) => <MomentText at={at} /> },
  {
    id: 'who',
    title: words.who,
    width: 'clamp(7rem, 14vw, 12rem)',
    from: 'wide',
    cell: (change) => (
      <span className={styles.actor}>
        <Avatar name={whoOf(change)} size="small" shape={change.actor.kind === 'user' ? 'round' : 'square'} />
        <span className={styles.actorName}>{whoOf(change)}</span>
      </span>
    ),
  },
  {
    id: 'when',
    title: words.when,
    width: 'clamp(7.5rem, 10.7vw, 8.5rem)',
    from: 'wide',
    cell: ({ at }) => <MomentText at={at} />,
  },
]

/** Settings → Audit log. */
export function AuditPage() {
  const { may } = usePlace()
  return may('manage') ? <ListedChanges /> : <RefusedSettings page="audit" detail={words.detail} />
}

/** The changes as rows; a row opens its before and after. */
function ListedChanges() {
  const { paths, projectId } = usePlace()
  const [params, setParams] = useSearchParams(AUDIT_PARAMS)
  const filter = auditQuery(params)
  const query = { ...filter, ...(projectId === null ? {} : { projectId }) }
  const changes = useKeysetOperation('listAudit', { query: { limit: 100, ...query } })
  const filters = writeParams(AUDIT_PARAMS, new URLSearchParams(), { ...params, change: null }).toString()
  // The same function for every render, so that rows are not rendered again during scrolling.
  const hrefOf = useCallback(
    ({ id }: AuditedChange) =>
      withSearch(paths.settings('audit'), {
        ...Object.fromEntries(new URLSearchParams(filters)),
        change: id,
      }),
    [paths, filters],
  )
  const none =
    projectId === null
      ? { title: words.emptyTitle, detail: words.empty }
      : { title: words.emptyHereTitle, detail: words.emptyHere }
  const isNarrowed = Object.keys(filter).length > 0
  const clear = () => setParams({ ...WHOLE_AUDIT_LOG, change: params.change })
  return (
    <SettingsLayout
      page="audit"
      detail={words.detail}
      width="wide"
      requests={[
        { title: words.curl, operation: 'listAudit', input: Object.keys(query).length > 0 ? { query } : {} },
      ]}
    >
      <AuditFilters params={fittingFilters(params)} onChange={setParams} />
      <AskedPanel asked={changes} failed={words.failed} waiting={<WaitingTable columns={COLUMNS} hasLead />}>
        {(rows) => (
          <DataTable
            label={settingsWords.pages.audit}
            rows={rows}
            columns={COLUMNS}
            idOf={idOfChange}
            nameOf={nameOfChange}
            leadOf={leadOfRow}
            hrefOf={hrefOf}
            isFormer={changes.isFormer}
            {...olderRows(changes, words.more)}
            empty={
              <Empty
                picture={<History size={22} />}
                title={isNarrowed ? words.noneTitle : none.title}
                actions={isNarrowed ? <Button onPress={clear}>{words.clear}</Button> : null}
              >
                {isNarrowed ? words.none : none.detail}
              </Empty>
            }
          />
        )}
      </AskedPanel>
      <OpenedChange id={params.change} rows={changes.data} onClose={() => setParams({ change: null })} />
    </SettingsLayout>
  )
}

interface OpenedChangeProps {
  /** null: none is open. */
  id: string | null
  /** The loaded rows; undefined before the first response. */
  rows: readonly AuditedChange[] | undefined
  onClose(): void
}

/** The row from the URL, even if it is not in the list. */
function OpenedChange({ id, rows, onClose }: OpenedChangeProps) {
  const { paths } = usePlace()
  const loaded = rows?.find((row) => row.id === id)
  const asked = useOperation(
    'getAuditedChange',
    { params: { changeId: id ?? '' } },
    { isEnabled: id !== null && rows !== undefined && !loaded },
  )
  const change = loaded ?? (asked.data?.id === id ? asked.data : undefined)
  const isGone = !change && asked.failure?.code === 'audit_entry_not_found'
  return (
    <SideSheet isOpen={id !== null} onClose={onClose} title={change ? actionOf(change) : words.change}>
      {isGone ? (
        <GonePanel
          search={<SearchAction />}
          title={words.gone}
          detail={words.goneDetail}
          href={paths.settings('audit')}
          label={settingsWords.pages.audit}
        />
      ) : (
        <AskedPanel asked={{ ...asked, data: change }} failed={words.changeFailed}>
          {(shown) => <ChangeDetails change={shown} />}
        </AskedPanel>
      )}
    </SideSheet>
  )
}

function ChangeDetails({ change }: { change: AuditedChange }) {
  const { paths } = usePlace()
  const { action, actor, entity, at, before, after, requestId } = change
  const isEmpty = before === null && after === null
  const href = entityLink(change, paths)
  const { run, workflow } = decidedIn(change, paths)
  return (
    <>
      <Facts
        facts={[
          {
            name: words.what,
            value: href === null ? whatOf(change) : <TextLink href={href}>{whatOf(change)}</TextLink>,
          },
          { name: words.kind, value: kindOf(entity) },
          ...(workflow === null
            ? []
            : [
                {
                  name: words.kinds.workflow,
                  value: <TextLink href={workflow.href}>{workflow.name}</TextLink>,
                },
              ]),
          ...(run === null
            ? []
            : [{ name: words.kinds.run, value: <TextLink href={run}>{words.openRun}</TextLink> }]),
          { name: words.actionName, value: <code translate="no">{action}</code> },
          { name: words.who, value: whoOf(change) },
          { name: words.when, value: fullTime(at) },
          ...(actor.ip === null
            ? []
            : [{ name: words.address, value: <code translate="no">{actor.ip}</code> }]),
          ...(requestId === null
            ? []
            : [{ name: words.request, value: <code translate="no">{requestId}</code> }]),
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
