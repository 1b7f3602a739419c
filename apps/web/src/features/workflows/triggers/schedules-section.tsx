import type { IdText, ScheduleFire, WorkflowId, WorkflowRunId, WorkflowSchedule } from '@troupe/contract'
import type { GraphNode } from '@troupe/graph'
import { type StripMark, TimeStrip } from '../../../atoms/chart/time-strip.tsx'
import { TextLink } from '../../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { AskedPanel } from '../../../atoms/states/asked-panel.tsx'
import { Badge } from '../../../atoms/states/badge.tsx'
import { MomentText } from '../../../atoms/states/moment-text.tsx'
import { Callout, ErrorPanel } from '../../../atoms/states/panels.tsx'
import { serverNow } from '../../../core/format/server-clock.ts'
import { nextClockChange, zonedTime } from '../../../core/format/zoned-times.ts'
import { triggerWords } from '../../../core/messages/en/workflows/triggers.ts'
import { scheduleWords, scheduleZone } from '../../../core/workflows/schedule-words.ts'
import { useRefreshOn } from '../../../infrastructure/events/use-changes.ts'
import { useOperation } from '../../../infrastructure/queries/use-operation.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import styles from './triggers.module.css'

const words = triggerWords.schedule
const STRIP_DAYS = 14
const STRIP_MS = STRIP_DAYS * 86_400_000
const KINDS = { fired: 'good', late: 'late', missed: 'bad', skipped: 'left-out' } as const
const TONES = { fired: 'good', late: 'warn', missed: 'bad', skipped: 'neutral' } as const
const LAST_FIRES = 8
/** Maximum marks; more would look like a line. */
const MOST_MARKS = 60

/** The schedules of the workflow: as text, the next fires, and the results of the last ones. */
export function SchedulesSection({
  workflowId,
  nodes,
}: {
  workflowId: IdText<WorkflowId>
  nodes: readonly GraphNode[]
}) {
  const schedules = useOperation('listSchedules', { params: { workflowId } })
  useRefreshOn(['runs'], ['listSchedules'])
  return (
    <AskedPanel asked={schedules} failed={words.failed}>
      {({ schedules: all }) =>
        nodes.map((node) => {
          const schedule = all.find(({ nodeId }) => nodeId === node.id)
          return (
            <Section
              key={node.id}
              title={`${words.title}: ${node.name}`}
              detail={`${scheduleWords(node.config)} · ${words.zone(scheduleZone(node.config))}`}
            >
              {schedule && <ScheduleParts schedule={schedule} zone={scheduleZone(node.config)} />}
            </Section>
          )
        })
      }
    </AskedPanel>
  )
}

function ScheduleParts({ schedule, zone }: { schedule: WorkflowSchedule; zone: string }) {
  const { paths } = usePlace()
  const { nextFires, waitingSince, problem, fires } = schedule
  const now = serverNow()
  const change = nextClockChange(zone, now, STRIP_DAYS)
  return (
    <Card>
      {problem !== null && <ErrorPanel title={words.title} message={problem} />}
      {waitingSince !== null && (
        <Callout tone="info">
          {words.waiting} <MomentText at={waitingSince} />
        </Callout>
      )}
      {change !== null && <Callout>{words.clockChange(change)}</Callout>}
      <TimeStrip
        label={words.strip}
        marks={marksOf(schedule, now, paths.run)}
        now={now}
        nowWord={words.now}
      />
      <div className={styles.schedule}>
        <div>
          <h3>{words.last}</h3>
          {fires.length === 0 ? (
            <p className={styles.muted}>{words.noFires}</p>
          ) : (
            <ul className={styles.fires}>
              {fires.slice(0, LAST_FIRES).map((fire) => (
                <FireLine key={fire.scheduledFor} fire={fire} zone={zone} />
              ))}
            </ul>
          )}
        </div>
        <div>
          <h3>{words.next}</h3>
          <ul className={styles.fires}>
            {nextFires.map((at) => (
              <li key={at}>
                <time dateTime={at}>{zonedTime(at, zone)}</time>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </Card>
  )
}

function FireLine({ fire, zone }: { fire: ScheduleFire; zone: string }) {
  const { paths } = usePlace()
  const { scheduledFor, outcome, executionId, reason } = fire
  const when = zonedTime(scheduledFor, zone)
  return (
    <li className={styles.fire}>
      <Badge tone={TONES[outcome]}>{words.outcomes[outcome]}</Badge>
      {executionId === null ? (
        <time dateTime={scheduledFor}>{when}</time>
      ) : (
        <TextLink href={paths.run(executionId)} aria-label={words.openRun(when)}>
          {when}
        </TextLink>
      )}
      {reason !== null && <span className={styles.muted}>{reason}</span>}
    </li>
  )
}

function marksOf(
  { nodeId, fires, nextFires }: WorkflowSchedule,
  now: number,
  pathOfRun: (runId: IdText<WorkflowRunId>) => string,
): StripMark[] {
  const past = fires.slice(0, MOST_MARKS).map(({ scheduledFor, outcome, executionId }) => ({
    id: `${nodeId} ${scheduledFor}`,
    at: Date.parse(scheduledFor),
    kind: KINDS[outcome],
    word: words.outcomes[outcome],
    href: executionId === null ? null : pathOfRun(executionId),
  }))
  const next = nextFires.map((at) => ({
    id: `${nodeId} next ${at}`,
    at: Date.parse(at),
    kind: 'planned' as const,
    word: words.outcomes.next,
    href: null,
  }))
  return [...past, ...next].filter(({ at }) => Math.abs(at - now) <= STRIP_MS)
}
