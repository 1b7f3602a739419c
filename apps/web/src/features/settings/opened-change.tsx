import type { AuditedChange } from '@troupe/contract/builder'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { TextDiff } from '../../atoms/diff/text-diff.tsx'
import { Facts } from '../../atoms/layout/page.tsx'
import { SideSheet } from '../../atoms/overlays/dialog.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { GonePanel } from '../../atoms/states/gone-panel.tsx'
import { decidedIn, entityLink } from '../../core/audit/audited-links.ts'
import { readableText } from '../../core/format/readable-text.ts'
import { fullTime } from '../../core/format/times.ts'
import { auditWords as words } from '../../core/messages/en/settings/audit.ts'
import { settingsWords } from '../../core/messages/en/settings/settings.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { SearchAction } from '../../parts/gone/search-action.tsx'
import { actionOf, kindOf, whatOf, whoOf } from './change-words.ts'

export interface OpenedChangeProps {
  id: string
  /** The loaded rows; undefined before the first response. */
  rows: readonly AuditedChange[] | undefined
  onClose(): void
}

/** The row from the URL, even if it is not in the list. */
export function OpenedChange({ id, rows, onClose }: OpenedChangeProps) {
  const { paths } = usePlace()
  const loaded = rows?.find((row) => row.id === id)
  const asked = useOperation(
    'getAuditedChange',
    { params: { changeId: id } },
    { isEnabled: rows !== undefined && !loaded },
  )
  const change = loaded ?? (asked.data?.id === id ? asked.data : undefined)
  const isGone = !change && asked.failure?.code === 'audit_entry_not_found'
  return (
    <SideSheet isOpen onClose={onClose} title={change ? actionOf(change) : words.change}>
      {isGone ? (
        <GonePanel
          look="part"
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
