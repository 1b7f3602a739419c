import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { type State, Status } from '../../atoms/states/badge.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import { classNames } from '../../atoms/styles/class-names.ts'
import { LongText } from '../../atoms/text/long-text.tsx'
import { wholeNumber } from '../../core/format/numbers.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { MemberLane, RunView } from '../../core/runs/run-view.ts'
import styles from './playground.module.css'
import { RunSteps } from './run-steps.tsx'

const STATES: Record<MemberLane['state'], State> = {
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

export interface MemberLanesProps {
  run: RunView
  /** Whether lanes may be placed side by side. */
  isWide: boolean
}

/** Each active member: its task, activity and answer. */
export function MemberLanes({ run, isWide }: MemberLanesProps) {
  return (
    <ul className={classNames(styles.lanes, isWide && styles.wide)} aria-label={words.members}>
      {run.lanes.map((lane) => (
        <li key={lane.memberRunId}>
          <Lane lane={lane} isAnswer={run.mode === 'handoff'} />
        </li>
      ))}
    </ul>
  )
}

/** `isAnswer`: the member's text is the answer of the team, and is shown below. */
function Lane({ lane, isAnswer }: { lane: MemberLane; isAnswer: boolean }) {
  const { agentName, state, task, content, error, inputTokens, outputTokens, modelCalls } = lane
  const tokens = words.tokens(wholeNumber(inputTokens), wholeNumber(outputTokens))
  return (
    <div className={styles.lane} data-state={state}>
      <div className={styles.laneHead}>
        <Avatar name={agentName} shape="square" />
        <strong>{agentName}</strong>
        <span className={styles.end}>
          <Status state={STATES[state]}>{words.lane[state]}</Status>
        </span>
      </div>
      {task !== null && (
        <div className={styles.handed}>
          <span className={styles.quiet}>{words.handed}</span>
          <p dir="auto">
            <LongText text={task} />
          </p>
        </div>
      )}
      <RunSteps steps={lane.steps.filter(({ kind }) => kind !== 'text')} />
      {!isAnswer && <LaneText lane={lane} content={content} />}
      {error !== null && <p className={styles.wrong}>{error}</p>}
      {inputTokens + outputTokens > 0 && (
        <p className={styles.laneFoot} title={words.tokensDetail}>
          {[modelCalls > 0 && words.calls(modelCalls), tokens].filter(Boolean).join(' · ')}
        </p>
      )}
    </div>
  )
}

/** In a lane, a text is the member's answer, and is shown completely instead of folded. */
function LaneText({ lane, content }: { lane: MemberLane; content: string | null }) {
  const written = lane.steps
    .filter((step) => step.kind === 'text')
    .filter(({ withdrawn }) => withdrawn === null)
    .map(({ text }) => text)
    .join('')
  const text = written === '' ? (content ?? '') : written
  if (text === '') return null
  return (
    <div className={styles.laneText}>
      <Markdown text={text} />
    </div>
  )
}
