import { Sparkline } from '../../atoms/chart/sparkline.tsx'
import { StatTile } from '../../atoms/layout/stat-tile.tsx'
import { money, percent, wholeNumber } from '../../core/format/numbers.ts'
import { serverNow } from '../../core/format/server-clock.ts'
import { duration } from '../../core/format/times.ts'
import { hoursOfDay } from '../../core/lists/hours-of-day.ts'
import { homeWords } from '../../core/messages/en/operate/home.ts'
import { projectInput } from '../../core/url/list-params.ts'
import { withSearch } from '../../core/url/paths.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './home.module.css'

const words = homeWords.day
const EVERY_MS = 60_000

/** The last 24 hours as four numbers; nothing until they are loaded, so that they do not delay the page. */
export function DayTiles() {
  const { paths, projectId } = usePlace()
  const { data: day } = useOperation('getDay', projectInput(projectId), {
    keepsFormer: false,
    everyMs: EVERY_MS,
  })
  if (!day) return <div className={styles.tiles} data-empty="" aria-hidden="true" />
  const { hours } = day
  const spark = (of: (hour: (typeof hours)[number]) => number) => hoursOfDay(hours, serverNow(), of)
  const lastDay = withSearch(paths.runs, { range: 'day' })
  const atLeast = (text: string) => (day.isCut ? words.atLeast(text) : text)
  return (
    <section className={styles.tiles} aria-label={words.title}>
      <StatTile
        label={words.runs}
        value={atLeast(wholeNumber(day.runs))}
        detail={words.lastDay}
        spark={<Sparkline values={spark(({ runs }) => runs)} />}
        href={lastDay}
      />
      <StatTile
        label={words.success}
        value={day.runs === 0 ? '–' : percent((day.runs - day.failed) / day.runs)}
        detail={words.failed(day.failed)}
        spark={day.failed === 0 ? undefined : <Sparkline tone="bad" values={spark(({ failed }) => failed)} />}
        href={withSearch(paths.runs, { range: 'day', status: 'failed' })}
      />
      <StatTile
        label={words.p95}
        value={day.p95Ms === null ? '–' : duration(day.p95Ms)}
        detail={words.p95Detail}
        href={lastDay}
      />
      <StatTile
        label={words.cost}
        value={atLeast(money(day.costUsd))}
        detail={words.lastDay}
        spark={<Sparkline values={spark(({ costUsd }) => costUsd)} />}
        href={paths.usage}
      />
    </section>
  )
}
