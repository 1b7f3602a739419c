import { CircleDashed, CircleStop, History, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Status } from '../../../atoms/states/badge.tsx'
import type { MapStep } from '../../../core/map/run-on-map.ts'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { testWords } from '../../../core/messages/en/workflows/testing.ts'
import type { StepMark } from './step-map.tsx'

/** Each state has a colour, a sign and a label. */
const MARKS = {
  completed: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '✗' },
  running: { tone: 'info', sign: '▸' },
  waiting: { tone: 'warn', sign: '‖' },
  stopped: { tone: 'neutral', sign: '■' },
  skipped: { tone: 'skipped', sign: '–' },
  pending: { tone: 'neutral', sign: '' },
} as const satisfies Record<MapStep['state']['status'] | 'stopped', Pick<StepMark, 'tone' | 'sign'>>

const ICONS = {
  completed: <Status state="completed" look="icon" />,
  failed: <Status state="failed" look="icon" />,
  running: <Status state="running" look="icon" />,
  waiting: <Status state="waiting" look="icon" />,
  stopped: <CircleStop size={14} aria-hidden="true" />,
  skipped: <Minus size={14} aria-hidden="true" />,
  pending: <CircleDashed size={14} aria-hidden="true" />,
} as const satisfies Record<keyof typeof MARKS, ReactNode>

/** The state of a step in a run as its mark; null: the step is not in the run. */
export function markOfStep(step: MapStep | undefined, hasEnded: boolean, isSeeded: boolean): StepMark | null {
  if (!step) return null
  const { status: stored } = step.state
  // A step that was running when the run ended keeps its last row.
  const isStopped = hasEnded && (stored === 'running' || stored === 'waiting')
  const status = isStopped ? 'stopped' : stored
  const { iterations } = step
  const counted =
    iterations === null
      ? ''
      : words.place(iterations.numbers.indexOf(iterations.shown) + 1, iterations.numbers.length)
  return {
    ...MARKS[status],
    // It was not executed in this test: another sign and label.
    ...(isSeeded && { sign: '↺' }),
    word: isSeeded ? testWords.seeded : words.states[status],
    end: (
      <>
        {counted}
        {isSeeded ? <History size={14} aria-hidden="true" /> : ICONS[status]}
      </>
    ),
  }
}
