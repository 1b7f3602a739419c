import { Card } from '../../atoms/layout/page.tsx'
import { Skeleton } from '../../atoms/states/panels.tsx'
import { WaitingTable } from '../../atoms/table/waiting-table.tsx'
import { usageWords as words } from '../../core/messages/en/operate/usage.ts'
import { USAGE_METRICS, type UsageGroup } from '../../core/usage/report.ts'
import styles from './usage.module.css'
import { columnsFor, hasRowMenu } from './usage-table.tsx'

/** The page before its first report: the measures, a chart's height, and the table's columns. */
export function WaitingUsage({ group }: { group: UsageGroup }) {
  return (
    <>
      <div className={styles.tiles} aria-hidden="true">
        {USAGE_METRICS.filter((one) => one !== 'voice').map((one) => (
          <div key={one} className={styles.tile}>
            <span className={styles.tileName}>{words.metrics[one]}</span>
            <span className={styles.tileValue}>–</span>
            <span className={styles.tileChange} />
          </div>
        ))}
      </div>
      <div className={styles.parts}>
        <Card>
          <div className={styles.waitingChart}>
            <Skeleton lines={4} />
          </div>
        </Card>
        <WaitingTable columns={columnsFor(group, () => 0, false)} hasActions={hasRowMenu(group)} />
      </div>
    </>
  )
}
