import type { UsageReport } from '@troupe/contract/builder'
import { ChartColumn, Download } from 'lucide-react'
import { BarChart } from '../../atoms/chart/bar-chart.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { Select } from '../../atoms/controls/select.tsx'
import { Card, PageLayout, Toolbar } from '../../atoms/layout/page.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Empty } from '../../atoms/states/panels.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { usageWords as words } from '../../core/messages/en/operate/usage.ts'
import { choiceParam } from '../../core/url/search-params.ts'
import {
  METRIC_CHOICES,
  nothingOf,
  periodDays,
  shownMetric,
  USAGE_GROUPS,
  USAGE_PERIODS,
  type UsageGroup,
  type UsageMetric,
  usageChart,
} from '../../core/usage/report.ts'
import { usageCsv } from '../../core/usage/usage-csv.ts'
import { downloadText } from '../../infrastructure/client/download-text.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { BudgetForecasts } from './budget-forecasts.tsx'
import { shortMeasure } from './measures.ts'
import styles from './usage.module.css'
import { UsageTable } from './usage-table.tsx'
import { UsageTotals } from './usage-totals.tsx'
import { WaitingUsage } from './waiting-usage.tsx'

const PARAMS = {
  group: choiceParam(USAGE_GROUPS, 'model'),
  metric: choiceParam(METRIC_CHOICES, 'usual'),
  period: choiceParam(USAGE_PERIODS, '30d'),
}

/** Usage: by day and by group, compared with the previous period, with the forecast of budgets. */
export function UsagePage() {
  const { projectId } = usePlace()
  const [{ group, metric: choice, period }, setParams] = useSearchParams(PARAMS)
  const days = periodDays(period, serverNow())
  const report = useOperation('getUsage', {
    query: {
      ...days,
      groupBy: group,
      metric: choice === 'usual' ? 'cost' : choice,
      daily: true,
      ...(projectId ? { projectId } : {}),
    },
  })
  const { data } = report
  const metric = shownMetric(choice, data?.totals)
  const save = () =>
    data &&
    downloadText(
      `usage-${group}-${data.from}-${data.to}.csv`,
      usageCsv(data, group),
      'text/csv;charset=utf-8',
    )
  return (
    <PageLayout
      title={words.title}
      detail={words.detail}
      actions={
        <Button
          icon={<Download size={16} />}
          onPress={save}
          isDisabled={!data || report.isFormer || data.data.length === 0}
        >
          {words.exportCsv}
        </Button>
      }
    >
      <Toolbar label={words.filters}>
        <Select
          label={words.period}
          isLabelHidden
          value={period}
          onChange={(next) => setParams({ period: next })}
          options={USAGE_PERIODS.map((id) => ({ id, label: words.periods[id] }))}
        />
        <Select
          label={words.group}
          isLabelHidden
          value={group}
          onChange={(next) => setParams({ group: next })}
          options={USAGE_GROUPS.map((id) => ({ id, label: words.groups[id] }))}
        />
      </Toolbar>
      <AskedPanel asked={report} failed={words.failed} waiting={<WaitingUsage group={group} />}>
        {(shown) => (
          <>
            {/* Never inert: a press on a measure refetches, and the focus would fall back to the page. */}
            <UsageTotals
              report={shown}
              group={group}
              metric={metric}
              onMetric={(next) => setParams({ metric: next })}
            />
            {shown.totals.calls === 0 && shown.totals.voiceMinutes === 0 ? (
              <Card>
                <Empty picture={<ChartColumn size={22} />} title={words.emptyTitle}>
                  {words.empty}
                </Empty>
              </Card>
            ) : (
              <div className={report.isFormer ? styles.former : styles.parts} inert={report.isFormer}>
                <Card>
                  <UsageChart report={shown} group={group} metric={metric} />
                </Card>
                <UsageTable report={shown} group={group} metric={metric} />
                {shown.isCut && <p className={styles.quiet}>{words.cut(wholeNumber(shown.data.length))}</p>}
              </div>
            )}
          </>
        )}
      </AskedPanel>
      <BudgetForecasts />
    </PageLayout>
  )
}

interface UsageChartProps {
  report: UsageReport
  group: UsageGroup
  metric: UsageMetric
}

/** The measure by day; a sentence if there is no usage. */
function UsageChart({ report, group, metric }: UsageChartProps) {
  const nothing = nothingOf(report, metric)
  if (nothing !== null) return <p className={styles.quiet}>{nothing}</p>
  return (
    <BarChart
      label={words.chart(words.metrics[metric], words.groups[group])}
      {...usageChart(report, group, metric, serverNow())}
      format={shortMeasure(metric)}
      height={220}
    />
  )
}
