import type { WorkflowFinding } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { useCallback, useMemo } from 'react'
import { Badge } from '../../../atoms/states/badge.tsx'
import type { PlacedEdge } from '../../../core/map/map-graph.ts'
import { isFlowing } from '../../../core/map/run-on-map.ts'
import { lastTestWords as testWords } from '../../../core/messages/en/workflows/last-test.ts'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { isEnded } from '../../../core/runs/run-state.ts'
import {
  type LastTest,
  LastTestLine,
  LastTestProvider,
  useLastTest,
} from '../last-test/last-test-context.tsx'
import { PinMark, pinSpoken } from '../pins/pin-mark.tsx'
import { type ShownPin, usePins } from '../pins/use-pins.ts'
import { markOfStep } from './run-marks.tsx'
import { StepMap, type StepMapProps, type StepMark } from './step-map.tsx'

export interface DraftMapProps
  extends Pick<StepMapProps, 'workflowId' | 'chosen' | 'onChoose' | 'onLeave' | 'onList' | 'editing'> {
  graph: Graph
  findings: readonly WorkflowFinding[]
  /** Whether the graph is the draft, whose steps have the results of the last test. */
  isDraft: boolean
}

const NO_RUN = () => null
const DISABLED: StepMark = {
  ...{ tone: 'skipped', sign: '⊘', word: words.disabledState },
  end: <Badge>{words.disabled}</Badge>,
}

const PINNED: StepMark = {
  ...{ tone: 'neutral', sign: '◆', word: pinSpoken({ isOlder: false }) },
  end: <PinMark isOlder={false} />,
}
const PINNED_OLDER: StepMark = {
  ...{ tone: 'warn', sign: '◆', word: pinSpoken({ isOlder: true }) },
  end: <PinMark isOlder />,
}

/** A pin beside another mark: the element of a step has no room for two labels. */
function withPin(mark: StepMark, { isOlder }: ShownPin): StepMark {
  const end = (
    <>
      <PinMark isOlder={isOlder} isIcon />
      {mark.end}
    </>
  )
  return { ...mark, word: `${mark.word}, ${pinSpoken({ isOlder })}`, end }
}

/** A graph without a run: its steps with their problems and pins, and for a draft the outputs of the last test. */
export function DraftMap({ isDraft, ...props }: DraftMapProps) {
  return isDraft ? <TestedMap {...props} /> : <MarkedMap {...props} test={null} />
}

function TestedMap(props: Omit<DraftMapProps, 'isDraft'>) {
  const test = useLastTest(props.workflowId, props.graph)
  return (
    <LastTestProvider test={test}>
      {test && <LastTestLine test={test} />}
      <MarkedMap {...props} test={test} />
    </LastTestProvider>
  )
}

function MarkedMap({
  graph,
  findings,
  test,
  ...more
}: Omit<DraftMapProps, 'isDraft'> & { test: LastTest | null }) {
  const pins = usePins(more.workflowId, graph)
  const problems = useMemo(() => Map.groupBy(findings, ({ nodeId }) => nodeId), [findings])
  const markOf = useCallback<StepMapProps['markOf']>(
    ({ id, disabled = false }) => {
      const found = problems.get(id) ?? []
      const pin = pins.get(id)
      const mark = found.length > 0 ? problemsMark(found, disabled) : disabled ? DISABLED : null
      const own = !pin ? mark : mark ? withPin(mark, pin) : pin.isOlder ? PINNED_OLDER : PINNED
      return withResult(own, test, id)
    },
    [problems, pins, test],
  )
  const steps = test !== null && !isEnded(test.run.status) ? test.steps : null
  const flowing = useMemo(() => steps && ((way: PlacedEdge) => isFlowing(steps, way)), [steps])
  return <StepMap graph={graph} markOf={markOf} wasTaken={NO_RUN} isFlowing={flowing} {...more} />
}

/** The mark of a step beside its state in the last test. A step that the test did not reach has none. */
function withResult(mark: StepMark | null, test: LastTest | null, id: string): StepMark | null {
  const step = test?.steps.get(id)
  if (!test || !step || step.state.status === 'pending') return mark
  const result = markOfStep(step, isEnded(test.run.status), false)
  if (result === null) return mark
  const isOlder = test.older.has(id)
  const word = isOlder
    ? `${testWords.spoken(result.word)}, ${testWords.olderSpoken}`
    : testWords.spoken(result.word)
  // An outdated result shows neither the colour nor the sign of a success.
  const own = isOlder ? { tone: 'neutral' as const, sign: '~' } : { tone: result.tone, sign: result.sign }
  if (mark === null) return { ...own, word, end: result.end }
  return {
    ...mark,
    word: `${mark.word}, ${word}`,
    end: (
      <>
        {mark.end}
        {result.end}
      </>
    ),
  }
}

function problemsMark(found: readonly WorkflowFinding[], isDisabled: boolean): StepMark {
  const isGrave = found.some(({ severity }) => severity !== 'warning')
  const count = words.problems(found.length)
  const word = isDisabled ? `${words.disabledState}, ${count}` : count
  const tone = isGrave ? 'bad' : 'warn'
  return { tone, sign: '!', word, end: <Badge tone={tone}>{String(found.length)}</Badge> }
}
