import { AUDITED_KINDS } from '@troupe/contract'
import { ComboBox } from '../../atoms/controls/combo-box.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { Toolbar } from '../../atoms/layout/page.tsx'
import { actionText } from '../../core/audit/action-text.ts'
import { type AuditParams, auditActionsOf, fittingFilters } from '../../core/audit/audit-filter.ts'
import { auditWords as words } from '../../core/messages/en/settings/audit.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { DayField } from './day-field.tsx'

export interface AuditFiltersProps {
  params: AuditParams
  onChange(change: Partial<AuditParams>): void
}

/** The filters of the audit log, all of them in the URL. */
export function AuditFilters({ params, onChange }: AuditFiltersProps) {
  const { kind, actor, action, from, to } = params
  return (
    <Toolbar label={words.filters}>
      <Select
        label={words.kind}
        isLabelHidden
        value={kind}
        clearTo="any"
        onChange={(next) =>
          onChange({ kind: next, action: fittingFilters({ ...params, kind: next }).action })
        }
        options={[
          { id: 'any', label: words.anyKind },
          ...AUDITED_KINDS.map((id) => ({ id, label: words.kinds[id] })),
        ]}
      />
      <ComboBox
        label={words.action}
        isLabelHidden
        placeholder={words.anyAction}
        value={action}
        onClear={() => onChange({ action: null })}
        onChange={(next) => onChange({ action: next })}
        options={auditActionsOf(kind).map((id) => ({ id, label: actionText(id) }))}
      />
      <ActorFilter actor={actor} onChange={onChange} />
      <DayField label={words.from} value={from} onChange={(next) => onChange({ from: next })} />
      <DayField label={words.to} value={to} onChange={(next) => onChange({ to: next })} />
    </Toolbar>
  )
}

/** The members of the organization; a URL may also name a key, or a former member. */
function ActorFilter({ actor, onChange }: { actor: string | null; onChange: AuditFiltersProps['onChange'] }) {
  const people = useOperation('listMembers', {})
  const members = (people.data?.members ?? []).map(({ userId, name, email }) => ({
    id: userId,
    label: name,
    ...(email !== null && { detail: email }),
  }))
  const isKnown = actor === null || members.some(({ id }) => id === actor)
  const options = isKnown ? members : [{ id: actor, label: words.another(actor.slice(0, 8)) }, ...members]
  return (
    <ComboBox
      label={words.who}
      isLabelHidden
      placeholder={words.anybody}
      value={actor}
      onClear={() => onChange({ actor: null })}
      onChange={(next) => onChange({ actor: next })}
      options={options}
      isLoading={people.data === undefined && people.failure === null}
    />
  )
}
