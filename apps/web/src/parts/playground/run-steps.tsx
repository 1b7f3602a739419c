import { ArrowRightLeft, Brain, ListChecks, PenLine } from 'lucide-react'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { Markdown } from '../../atoms/markdown/markdown.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { toldApart } from '../../core/models/told-apart.ts'
import { callFailureText } from '../../core/runs/call-failure-text.ts'
import type { FailoverStep, RoundStep, RunStep } from '../../core/runs/run-view.ts'
import { useLlmConfigurations } from '../../infrastructure/queries/use-whole-list.ts'
import styles from './playground.module.css'
import { ToolCallView } from './tool-call-view.tsx'

/** An agent's steps before its answer, in order; the answer itself is below. */
export function RunSteps({ steps }: { steps: readonly RunStep[] }) {
  const shown = steps.filter(isShownHere)
  if (shown.length === 0) return null
  return (
    <ol className={styles.steps}>
      {shown.map((step, index) => (
        <li key={step.key}>
          <StepView step={step} place={index + 1} />
        </li>
      ))}
    </ol>
  )
}

/** Members have separate lanes, and caller texts are the answer. */
function isShownHere(step: RunStep): boolean {
  if (step.kind === 'member') return false
  return (
    step.kind !== 'text' || (step.channel === 'trace' && step.withdrawn === null && step.text.trim() !== '')
  )
}

function StepView({ step, place }: { step: RunStep; place: number }) {
  switch (step.kind) {
    case 'tool':
      return <ToolCallView call={step} place={place} />
    case 'reasoning':
      return (
        <Disclosure look="line" lead={<Brain size={14} aria-hidden="true" />} title={words.reasoning}>
          <div className={styles.reasoning}>
            <Markdown text={step.text} />
          </div>
        </Disclosure>
      )
    case 'text':
      return (
        <Disclosure look="line" lead={<PenLine size={14} aria-hidden="true" />} title={firstLine(step.text)}>
          <Markdown text={step.text} />
        </Disclosure>
      )
    case 'failover':
      return <Failover step={step} />
    case 'round':
      return <PlanRound step={step} />
    case 'member':
      return null
    default:
      return step satisfies never
  }
}

const firstLine = (text: string) => text.trimStart().split('\n', 1)[0] ?? ''

function Failover({ step: { from, to, reason } }: { step: FailoverStep }) {
  const isSameId = from.modelId === to.modelId
  const { data = [] } = useLlmConfigurations({ isEnabled: isSameId })
  const nameOf = (model: FailoverStep['from']) =>
    toldApart(model, [from, to], (id) => data.find(({ llmConfigId }) => llmConfigId === id)?.name)
  return (
    <p className={styles.line}>
      <ArrowRightLeft size={14} aria-hidden="true" />
      <span>
        {words.failover(nameOf(from), nameOf(to))} <Badge tone="warn">{callFailureText(reason)}</Badge>
      </span>
    </p>
  )
}

function PlanRound({ step: { round, most, verdict, reason } }: { step: RoundStep }) {
  return (
    <p className={styles.line}>
      <ListChecks size={14} aria-hidden="true" />
      <span>
        {words.round(round, most)} {verdict !== null && <Badge>{words.verdict(verdict)}</Badge>}{' '}
        {reason !== null && <span className={styles.quiet}>{reason}</span>}
      </span>
    </p>
  )
}
