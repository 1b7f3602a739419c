import type { AnyRunId, IdText } from '@troupe/contract'
import { useEffect } from 'react'
import { Card, Section } from '../../atoms/layout/page.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Status } from '../../atoms/states/badge.tsx'
import { runWords } from '../../core/messages/en/runs.ts'
import { afterEvent, NO_LIVE_RUN } from '../../core/runs/live-run.ts'
import { answerOf } from '../../core/runs/run-view.ts'
import { useOrganizationId } from '../../infrastructure/sign-in/organization-id.ts'
import { followRunStream } from '../../infrastructure/streams/run-stream.ts'
import { useFrameState } from '../../infrastructure/streams/use-frame-state.ts'
import styles from './runs.module.css'

/** Maximum displayed recent activities. */
const SHOWN = 8

/** The current activity of an agent or a team, from its stream. */
export function LiveRunPanel({ runId }: { runId: IdText<AnyRunId> }) {
  const organizationId = useOrganizationId()
  const [state, update] = useFrameState(NO_LIVE_RUN)
  useEffect(() => {
    const life = new AbortController()
    update(() => NO_LIVE_RUN)
    const follow = async () => {
      const opened = await followRunStream('streamRun', [organizationId ?? '', runId], {
        signal: life.signal,
      })
      // Without a stream the page still polls the run every second.
      if (!opened.ok) return
      for await (const event of opened.data) update((former) => afterEvent(former, event))
    }
    follow().catch(() => undefined)
    return () => life.abort()
  }, [organizationId, runId, update])
  const { run, activities } = state
  const answer = answerOf(run)
  return (
    <Section title={runWords.live} detail={runWords.liveDetail}>
      <Card>
        <div className={styles.live}>
          {activities.length === 0 && answer === '' && <p>{runWords.nothingYet}</p>}
          {activities.slice(-SHOWN).map(({ id, title, state: phase }) => (
            <div key={id} className={styles.activity}>
              <Status state={phase} />
              <span className={styles.name}>{title}</span>
            </div>
          ))}
          {answer !== '' && <Markdown text={answer} />}
        </div>
      </Card>
    </Section>
  )
}
