import { useRef } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Disclosure } from '../../atoms/layout/disclosure.tsx'
import { type State, Status } from '../../atoms/states/badge.tsx'
import { duration } from '../../core/format/times.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import type { ToolStep } from '../../core/runs/run-view.ts'
import { ApprovalQuestion } from './approval-question.tsx'
import styles from './playground.module.css'

const STATES: Record<ToolStep['state'], State> = {
  waiting: 'waiting',
  running: 'running',
  done: 'completed',
  failed: 'failed',
  stopped: 'cancelled',
}

export interface ToolCallViewProps {
  call: ToolStep
  place: number
}

/** A tool call: one line, with arguments and result below it. A waiting call shows its decision. */
export function ToolCallView({ call, place }: ToolCallViewProps) {
  const { toolName, args, state, approval } = call
  const view = useRef<HTMLDivElement>(null)
  return (
    <div ref={view}>
      {state === 'waiting' && approval !== null ? (
        <ApprovalQuestion
          toolName={toolName}
          args={args}
          approval={approval}
          next={() => view.current?.querySelector('summary')}
        />
      ) : (
        <CallLine call={call} place={place} />
      )}
    </div>
  )
}

function CallLine({ call, place }: ToolCallViewProps) {
  const { toolName, args, state, result, isCut, durationMs, error, approval } = call
  const decision = approval?.decision ?? null
  // Two calls of one tool are distinguished by their index.
  const labelOf = (what: string) => `${place}. ${toolName}: ${what}`
  return (
    <Disclosure
      look="line"
      lead={
        <Status state={STATES[state]}>
          <span className="visually-hidden">{words.tool[state]}</span>
        </Status>
      }
      title={
        <>
          <code translate="no">{toolName}</code> <span className={styles.quiet}>{summaryOf(args)}</span>
        </>
      }
      end={
        <>
          {decision !== null && `${words.decisions[decision]} `}
          {durationMs === null ? state !== 'done' && words.tool[state] : duration(durationMs)}
        </>
      }
    >
      <CodeBlock label={labelOf(words.asked)} text={JSON.stringify(args, null, 2)} isWrapped />
      {result !== null && <CodeBlock label={labelOf(words.answered)} text={readable(result)} isWrapped />}
      {isCut && <p className={styles.quiet}>{words.cut}</p>}
      {error !== null && <p className={styles.wrong}>{error}</p>}
      {approval?.reason && <p className={styles.quiet}>{approval.reason}</p>}
    </Disclosure>
  )
}

const SHOWN_CHARACTERS = 120

/** The arguments on one line: "order: 1204, dry_run: true". */
function summaryOf(args: ToolStep['args']): string {
  const parts = Object.entries(args).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return parts.join(', ').slice(0, SHOWN_CHARACTERS)
}

/** JSON with line breaks; other texts unchanged. */
function readable(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
