import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Select } from '../../../atoms/controls/select.tsx'
import { Toolbar } from '../../../atoms/layout/page.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import {
  RUN_KINDS,
  RUN_RANGES,
  RUN_SOURCE_CHOICES,
  RUN_STATUSES,
  type RunParams,
  runQuery,
} from '../../../core/runs/run-filter.ts'
import { rangeText } from '../../../core/runs/run-histogram.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import styles from './explorer.module.css'
import { MoreFiltersDialog } from './more-filters-dialog.tsx'
import type { RunsFiltersProps } from './runs-filters-props.ts'

/** The filters of the list, all of them in the URL. */
export function RunsFilters({ params, onChange }: RunsFiltersProps) {
  const [isOpen, setOpen] = useState(false)
  const { kind, status, source, range } = params
  return (
    <>
      <Toolbar label={runWords.filters}>
        <Select
          label={runWords.range}
          isLabelHidden
          value={range}
          onChange={(next) => onChange({ range: next, from: null, to: null })}
          options={RUN_RANGES.map((id) => ({ id, label: runWords.ranges[id] }))}
        />
        <Select
          label={runWords.what}
          isLabelHidden
          value={kind}
          clearTo="any"
          onChange={(next) => onChange({ kind: next })}
          options={RUN_KINDS.map((id) => ({
            id,
            label: id === 'any' ? runWords.anyKind : runWords.kinds[id],
          }))}
        />
        <Select
          label={runWords.status}
          isLabelHidden
          value={status}
          clearTo="any"
          onChange={(next) => onChange({ status: next })}
          options={RUN_STATUSES.map((id) => ({ id, label: statusLabel(id) }))}
        />
        <Select
          label={runWords.source}
          isLabelHidden
          value={source}
          clearTo="any"
          onChange={(next) => onChange({ source: next })}
          options={RUN_SOURCE_CHOICES.map((id) => ({
            id,
            label: id === 'any' ? runWords.anySource : runWords.sources[id],
          }))}
        />
        <Button icon={<ListFilter size={14} />} onPress={() => setOpen(true)}>
          {runWords.moreFilters}
        </Button>
      </Toolbar>
      <Chips params={params} onChange={onChange} />
      {isOpen && <MoreFiltersDialog params={params} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}

function statusLabel(id: RunParams['status']): string {
  if (id === 'any') return runWords.anyStatus
  return id === 'in-flight' ? runWords.choices[id] : runWords.statuses[id]
}

/** Filters without a control in the toolbar, each with a button to remove it. */
function Chips({ params, onChange }: RunsFiltersProps) {
  const { from, to, tag, user, session, key, trials, cause } = params
  const what = useNameOfEntity(params)
  const time = rangeText(from, to, serverNow())
  const chips: { name: string; value: string; without: Partial<RunParams> }[] = [
    { name: runWords.range, value: time, without: { from: null, to: null } },
    { name: runWords.what, value: what, without: { entity: null } },
    { name: runWords.cause, value: cause, without: { cause: '' } },
    { name: runWords.tag, value: tag, without: { tag: '' } },
    { name: runWords.user, value: user, without: { user: '' } },
    { name: runWords.session, value: session, without: { session: '' } },
    { name: runWords.keyFilter, value: key ?? '', without: { key: null } },
    {
      name: runWords.trials,
      value: trials === 'any' ? '' : runWords.trialChoices[trials],
      without: { trials: 'any' },
    },
  ]
  const shown = chips.filter(({ value }) => value !== '')
  if (shown.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={runWords.filters}>
      {shown.map(({ name, value, without }) => (
        <li key={name} className={styles.chip}>
          <span className={styles.chipName}>{name}</span>
          <span className={styles.chipValue}>{value}</span>
          <Button
            emphasis="quiet"
            size="small"
            icon={<X size={14} />}
            aria-label={runWords.clearOne(name)}
            onPress={() => onChange(without)}
          />
        </li>
      ))}
    </ul>
  )
}

/** The name of the agent, team or workflow of the filter, from its last run; its id if it has none. */
function useNameOfEntity(params: RunParams): string {
  const { entityId } = runQuery(params, null, 0)
  const query = { limit: 1, ...(entityId && { entityId }) }
  const asked = useOperation('listRuns', { query }, { isEnabled: entityId !== undefined })
  if (asked.isLoading && entityId !== undefined) return '…'
  const run = asked.data?.data[0]
  if (entityId === undefined || run?.entity.id !== entityId) return params.entity ?? ''
  return run.entity.name ?? runWords.gone
}
