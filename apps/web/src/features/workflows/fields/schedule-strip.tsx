import { TimeStrip } from '../../../atoms/chart/time-strip.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { scheduleTexts as words } from '../../../core/messages/en/schedules.ts'
import { nextStarts } from '../../../core/workflows/next-starts.ts'
import styles from './fields.module.css'

/** The next starts of a Recurrence while its settings are edited; nothing while they are incomplete. */
export function ScheduleStrip({ config }: { config: Readonly<Record<string, unknown>> }) {
  const now = serverNow()
  const next = nextStarts(config, now)
  if (next === null) return null
  const title = words.nextIn(next.zone)
  const marks = next.starts.map(({ at, when }) => ({
    id: String(at),
    at,
    kind: 'planned' as const,
    word: words.start,
    title: when,
    href: null,
  }))
  return (
    <section className={styles.starts} aria-label={title}>
      <h3>{title}</h3>
      <TimeStrip label={title} marks={marks} now={now} nowWord={words.now} />
      <ol>
        {next.starts.map(({ at, when, gap }) => (
          <li key={at}>
            <time dateTime={new Date(at).toISOString()}>{when}</time> <span>{gap}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
