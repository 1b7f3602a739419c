import type { UsageReport } from '@troupe/contract/builder'
import { ActionMenu, type MenuEntry } from '../../atoms/overlays/menu.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import { DataTable } from '../../atoms/table/data-table.tsx'
import { decimalNumber, money, percent, wholeNumber } from '../../core/format/numbers.ts'
import { usageWords as words } from '../../core/messages/en/operate/usage.ts'
import { type OrganizationPaths, withSearch } from '../../core/url/paths.ts'
import { groupName, measure, shareOf, type UsageGroup, type UsageMetric } from '../../core/usage/report.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { shortMeasure } from './measures.ts'
import styles from './usage.module.css'

type UsageRow = UsageReport['data'][number]

const tokens = shortMeasure('tokens')

/** Groups without a page or a filter of the explorer. */
const HAVE_NO_PLACE: ReadonlySet<UsageGroup> = new Set(['model', 'purpose', 'day'])

/** Whether rows of a group have a menu. */
export const hasRowMenu = (group: UsageGroup) => !HAVE_NO_PLACE.has(group)

export interface UsageTableProps {
  report: UsageReport
  group: UsageGroup
  metric: UsageMetric
}

/** The groups of a report, sorted by the measure; each links to its resource and its runs. */
export function UsageTable({ report, group, metric }: UsageTableProps) {
  const { paths } = usePlace()
  const rows =
    group === 'day'
      ? report.data.toReversed()
      : report.data.toSorted((a, b) => measure(b, metric) - measure(a, metric))
  const actionsOf = (row: UsageRow) => {
    const entries = entriesFor(group, row, report, paths)
    if (entries.length === 0) return null
    return <ActionMenu label={words.rowActions(groupName(group, row))} entries={entries} />
  }
  return (
    <DataTable
      label={words.groups[group]}
      rows={rows}
      columns={columnsFor(
        group,
        (row) => shareOf(row, report, metric),
        rows.some(({ voiceMinutes }) => voiceMinutes > 0),
      )}
      idOf={({ key }) => key ?? ''}
      nameOf={(row) => groupName(group, row)}
      {...(hasRowMenu(group) ? { actionsOf } : {})}
    />
  )
}

/** The columns of a report by group; `share` is a row's part of the whole. */
export function columnsFor(
  group: UsageGroup,
  share: (row: UsageRow) => number,
  hasVoice: boolean,
): readonly Column<UsageRow>[] {
  return [
    { id: 'name', title: words.groupNames[group], cell: (row) => groupName(group, row) },
    {
      id: 'share',
      title: words.share,
      width: '128px',
      from: 'wide',
      cell: (row) => <Share value={share(row)} />,
    },
    {
      id: 'runs',
      title: words.metrics.runs,
      align: 'end',
      width: '80px',
      from: 'wide',
      cell: ({ runs }) => wholeNumber(runs),
    },
    {
      id: 'errors',
      title: words.metrics.errors,
      align: 'end',
      width: '80px',
      from: 'wide',
      cell: ({ errors }) =>
        errors === 0 ? wholeNumber(0) : <span className={styles.bad}>{wholeNumber(errors)}</span>,
    },
    {
      id: 'input',
      title: words.input,
      align: 'end',
      width: '88px',
      from: 'widest',
      cell: ({ inputTokens }) => tokens(inputTokens),
    },
    {
      id: 'cached',
      title: words.cached,
      align: 'end',
      width: '88px',
      from: 'widest',
      cell: ({ cachedTokens }) => tokens(cachedTokens),
    },
    {
      id: 'output',
      title: words.output,
      align: 'end',
      width: '88px',
      from: 'widest',
      cell: ({ outputTokens }) => tokens(outputTokens),
    },
    {
      id: 'tokens',
      title: words.metrics.tokens,
      align: 'end',
      width: '80px',
      cell: ({ inputTokens, outputTokens }) => tokens(inputTokens + outputTokens),
    },
    {
      id: 'cost',
      title: words.metrics.cost,
      align: 'end',
      width: '88px',
      cell: ({ costUsd }) => money(costUsd),
    },
    ...(hasVoice
      ? [
          {
            id: 'voice',
            title: words.metrics.voice,
            align: 'end' as const,
            width: '112px',
            from: 'wide' as const,
            cell: ({ voiceMinutes }: UsageRow) => decimalNumber(voiceMinutes),
          },
        ]
      : []),
  ]
}

function Share({ value }: { value: number }) {
  return (
    <span className={styles.share}>
      <span className={styles.meter} aria-hidden="true">
        <span className={styles.fill} style={{ inlineSize: `${value * 100}%` }} />
      </span>
      {percent(value)}
    </span>
  )
}

const DAY_SECONDS = 86_400

/** The days of a report as the explorer's times, in Unix seconds, including its last day. */
function spanOf({ from, to }: Pick<UsageReport, 'from' | 'to'>) {
  return {
    from: String(Date.parse(from) / 1_000),
    to: String(Date.parse(to) / 1_000 + DAY_SECONDS),
  }
}

/** The resource of a group, and its runs, if the explorer can filter by it. */
function entriesFor(
  group: UsageGroup,
  { key, name }: UsageRow,
  report: Pick<UsageReport, 'from' | 'to'>,
  paths: OrganizationPaths,
): MenuEntry[] {
  if (key === null) return []
  const places: Partial<Record<UsageGroup, (id: string) => string>> = {
    agent: paths.agent,
    team: paths.team,
    workflow: paths.workflow,
  }
  const filters: Partial<Record<UsageGroup, string>> = {
    agent: 'entity',
    team: 'entity',
    workflow: 'entity',
    apiKey: 'key',
    tag: 'tag',
    user: 'user',
  }
  const place = name === null ? undefined : places[group]?.(key)
  const filter = filters[group]
  return [
    ...(place ? [{ id: 'open', label: words.open, href: place }] : []),
    ...(filter
      ? [
          {
            id: 'runs',
            label: words.showRuns,
            href: withSearch(paths.runs, { [filter]: key, ...spanOf(report) }),
          },
        ]
      : []),
  ]
}
