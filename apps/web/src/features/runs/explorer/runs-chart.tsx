import { BarChart } from '../../../atoms/chart/bar-chart.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { wholeNumber } from '../../../core/format/numbers.ts'
import { serverNow } from '../../../core/format/server-clock.ts'
import { fullTime } from '../../../core/format/times.ts'
import { runWords } from '../../../core/messages/en/runs.ts'
import type { RunParams, runQuery } from '../../../core/runs/run-filter.ts'
import { bucketRange, histogramPoints } from '../../../core/runs/run-histogram.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import styles from './explorer.module.css'

const SERIES = [
  { id: 'completed', label: runWords.series.completed, tone: 'good' },
  { id: 'failed', label: runWords.series.failed, tone: 'bad' },
  { id: 'other', label: runWords.series.other, tone: 'neutral' },
  { id: 'inFlight', label: runWords.series.inFlight, tone: 'info' },
] as const

/** Maximum bars, each with a round duration. */
const BUCKETS = { hour: 60, day: 48, week: 84, month: 60, all: 60 } as const

export interface RunsChartProps {
  query: ReturnType<typeof runQuery>
  range: RunParams['range']
  onNarrow(from: number, to: number): void
}

/** Runs over time; dragging over the bars narrows the list to them. */
export function RunsChart({ query, range, onNarrow }: RunsChartProps) {
  const counts = useOperation('runHistogram', { query: { ...query, buckets: BUCKETS[range] } })
  return (
    <AskedPanel asked={counts} failed={runWords.chartFailed} lines={3}>
      {(data) => (
        <div className={styles.chart}>
          <BarChart
            label={runWords.chart}
            series={SERIES}
            points={histogramPoints(data, serverNow())}
            format={wholeNumber}
            height={110}
            onRange={(first, last) => {
              const { from, to } = bucketRange(data, first, last)
              onNarrow(from, to)
            }}
          />
          {data.data.length > 0 && (
            <p className={styles.hint}>
              {data.countedFrom === null ? runWords.chartHint : runWords.chartCut(fullTime(data.countedFrom))}
            </p>
          )}
        </div>
      )}
    </AskedPanel>
  )
}
