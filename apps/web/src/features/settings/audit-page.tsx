import type { AuditedChange } from '@troupe/contract/builder'
import { History } from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../../atoms/controls/button.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar, Empty } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { AUDIT_PARAMS, auditQuery, fittingFilters, WHOLE_AUDIT_LOG } from '../../core/audit/audit-filter.ts'
import { auditWords as words } from '../../core/messages/en/settings/audit.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { withSearch } from '../../core/url/paths.ts'
import { writeParams } from '../../core/url/search-params.ts'
import { useKeysetOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { olderRows } from '../../parts/lists/older-rows.ts'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTile } from './audit-tile.tsx'
import { actionOf, whatOf, whoOf } from './change-words.ts'
import { RefusedSettings } from './refused-settings.tsx'
import styles from './settings.module.css'
import { SettingsLayout } from './settings-layout.tsx'

// The list does not wait for the controls of the sheet.
const OpenedChange = lazyPart(async () => (await import('./opened-change.tsx')).OpenedChange)

const nameOfChange = (change: AuditedChange) => `${actionOf(change)}: ${whatOf(change)}`
const idOfChange = ({ id }: AuditedChange) => id

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
      <LazyDialog>
        {params.change !== null && (
          <OpenedChange id={params.change} rows={changes.data} onClose={() => setParams({ change: null })} />
        )}
      </LazyDialog>
    </SettingsLayout>
  )
}
