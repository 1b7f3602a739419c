import type { Citation, GuardrailFlag } from '@troupe/contract'
import { LoaderCircle } from 'lucide-react'
import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react'
import { WordDiff } from '../../atoms/diff/word-diff.tsx'
import { useSeen } from '../../atoms/layout/use-seen.ts'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import {
  blockingStage,
  guardrailActionLabel,
  guardrailKindLabel,
  guardrailReason,
} from '../../core/labels/guardrail-flag.ts'
import { guardrailWords } from '../../core/messages/en/agents/guardrails.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { PlaygroundTurn } from '../../core/playground/turns.ts'
import { answerOf, answerTexts, type LaneWork, type RunView } from '../../core/runs/run-view.ts'
import { MemberLanes } from './member-lanes.tsx'
import { PlanView } from './plan-view.tsx'
import styles from './playground.module.css'
import { RunFacts } from './run-facts.tsx'
import { RunSteps } from './run-steps.tsx'
import { openSource, Sources } from './sources.tsx'
import { TurnProblem } from './turn-problem.tsx'
import { WithdrawnText } from './withdrawn-text.tsx'

const NO_CITATIONS: readonly Citation[] = []

export interface AnswerViewProps {
  turn: PlaygroundTurn
  /** Resumes reading a run whose connection was lost. */
  onReadOn(turn: PlaygroundTurn): void
  /** Called when an answer without its steps becomes visible. */
  onBareSeen(turn: PlaygroundTurn): void
  /** The answer to compare with, word by word; null: no comparison. */
  comparedTo: string | null
  /** It is the only column, with enough width. */
  isWide: boolean
  /** Above the lanes of a team's members; null: none. */
  picture: ReactNode
  /** Resends the message; null: not now. */
  onRetry: (() => void) | null
}

/** The complete result of a message: steps, members, plan, answer, sources, and cost. */
export function AnswerView(props: AnswerViewProps) {
  const { turn, onReadOn, onBareSeen, comparedTo, isWide, picture, onRetry } = props
  const { run, phase, isBare } = turn
  const [place, isSeen] = useSeen<HTMLDivElement>()
  const latest = useRef({ turn, onBareSeen })
  latest.current = { turn, onBareSeen }
  useEffect(() => {
    if (isSeen && isBare) latest.current.onBareSeen(latest.current.turn)
  }, [isSeen, isBare])
  const answer = answerOf(run)
  const id = useId()
  const cited = run.end?.kind === 'completed' ? run.end.citations : NO_CITATIONS
  const citations = useMemo(
    () => ({
      numbers: new Set(cited.map(({ n }) => n)),
      labelOf: words.source,
      onOpen: (n: number) => openSource(id, n),
    }),
    [cited, id],
  )
  const isOpen = phase !== 'settled'
  return (
    <div ref={place} className={styles.answer} aria-busy={isOpen}>
      <h2 className="visually-hidden">{run.name ?? words.label}</h2>
      <RunSteps steps={run.own.steps} />
      {run.plan && <PlanView plan={run.plan} lanes={run.lanes} />}
      {picture}
      {run.lanes.length > 0 && <MemberLanes run={run} isWide={isWide} />}
      {answerTexts(run).map((text) => (
        <WithdrawnText key={text.key} step={text} />
      ))}
      {comparedTo !== null && !isOpen ? (
        <Compared before={comparedTo} after={answer} />
      ) : (
        answer !== '' && (
          <div className={styles.text}>
            <Markdown text={answer} citations={citations} />
          </div>
        )
      )}
      {isOpen && <NowDoing turn={turn} hasAnswer={answer !== ''} />}
      <Outcome run={run} place={id} />
      <TurnProblem
        turn={turn}
        onRetry={onRetry}
        onReadOn={run.runId === null ? null : () => onReadOn(turn)}
      />
      {!isOpen && <RunFacts turn={turn} answer={answer} />}
      <span role="status" className="visually-hidden">
        {isOpen ? words.sending : run.end?.kind === 'completed' ? words.finished : ''}
      </span>
    </div>
  )
}

function Compared({ before, after }: { before: string; after: string }) {
  if (before === after) return <Badge tone="good">{words.same}</Badge>
  return <WordDiff before={before} after={after} words={{ added: words.added, removed: words.removed }} />
}

function NowDoing({ turn, hasAnswer }: { turn: PlaygroundTurn; hasAnswer: boolean }) {
  const { run, phase } = turn
  const purpose = run.own.purpose ?? run.lanes.find((lane) => lane.purpose !== null)?.purpose ?? null
  const text =
    phase === 'sending'
      ? words.sending
      : isWaiting(turn)
        ? words.tool.waiting
        : hasAnswer
          ? words.answering
          : words.thinking(purpose ?? 'chat')
  return (
    <p className={styles.now} aria-hidden="true">
      <LoaderCircle size={14} className={styles.turning} />
      {text}
    </p>
  )
}

/** Whether the run waits for a decision: no model call is in progress, and a tool call waits for its approval. */
function isWaiting({ run: { own, lanes } }: PlaygroundTurn): boolean {
  const work = [own, ...lanes]
  const waits = ({ steps }: LaneWork) =>
    steps.some((step) => step.kind === 'tool' && step.state === 'waiting')
  return work.every(({ purpose }) => purpose === null) && work.some(waits)
}

/** A team run is also unsuccessful when its plan was not completed. */
function whyWithoutSuccess(kind: RunView['kind'], flags: readonly GuardrailFlag[] | null): string {
  const stage = flags && blockingStage(flags)
  if (stage) return words.blocked[stage]
  return flags === null || kind === 'team' ? words.unsuccessful : words.refused
}

function Outcome({ run: { kind, end }, place }: { run: RunView; place: string }) {
  if (end === null) return null
  if (end.kind === 'cancelled') {
    return (
      <p className={styles.quiet}>
        <Badge>{words.stopped}</Badge> {words.stoppedDetail}
      </p>
    )
  }
  if (end.kind === 'failed') return null
  return (
    <>
      {!end.success && <Badge tone="warn">{whyWithoutSuccess(kind, end.flags)}</Badge>}
      {end.flags?.map((flag) => (
        <p key={`${flag.stage} ${flag.type} ${flag.reason}`} className={styles.quiet}>
          <Badge tone="warn">
            {words.flag(
              guardrailKindLabel(flag.type),
              guardrailActionLabel(flag.action),
              guardrailWords.stages[flag.stage],
            )}
          </Badge>{' '}
          {guardrailReason(flag)}
        </p>
      ))}
      <Sources citations={end.citations} place={place} />
    </>
  )
}
