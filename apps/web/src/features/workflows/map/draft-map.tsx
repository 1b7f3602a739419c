import type { WorkflowFinding } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { useCallback, useMemo } from 'react'
import { Badge } from '../../../atoms/states/badge.tsx'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { PinMark, pinSpoken } from '../pins/pin-mark.tsx'
import { type ShownPin, usePins } from '../pins/use-pins.ts'
import { StepMap, type StepMapProps, type StepMark } from './step-map.tsx'

export interface DraftMapProps
  extends Pick<StepMapProps, 'workflowId' | 'chosen' | 'onChoose' | 'onLeave' | 'onList' | 'editing'> {
  graph: Graph
  findings: readonly WorkflowFinding[]
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

/** A pin beside another mark: the element of a step has no room for two words. */
function withPin(mark: StepMark, { isOlder }: ShownPin): StepMark {
  const end = (
    <>
      <PinMark isOlder={isOlder} isIcon />
      {mark.end}
    </>
  )
  return { ...mark, word: `${mark.word}, ${pinSpoken({ isOlder })}`, end }
}

/** A graph without a run: its steps with their problems, and which have a pinned output. */
export function DraftMap({ graph, findings, ...more }: DraftMapProps) {
  const pins = usePins(more.workflowId, graph)
  const problems = useMemo(() => Map.groupBy(findings, ({ nodeId }) => nodeId), [findings])
  const markOf = useCallback<StepMapProps['markOf']>(
    ({ id, disabled = false }) => {
      const found = problems.get(id) ?? []
      const pin = pins.get(id)
      const mark = found.length > 0 ? problemsMark(found, disabled) : disabled ? DISABLED : null
      if (!pin) return mark
      return mark ? withPin(mark, pin) : pin.isOlder ? PINNED_OLDER : PINNED
    },
    [problems, pins],
  )
  return <StepMap graph={graph} markOf={markOf} wasTaken={NO_RUN} {...more} />
}

function problemsMark(found: readonly WorkflowFinding[], isDisabled: boolean): StepMark {
  const isGrave = found.some(({ severity }) => severity !== 'warning')
  const count = words.problems(found.length)
  const word = isDisabled ? `${words.disabledState}, ${count}` : count
  const tone = isGrave ? 'bad' : 'warn'
  return { tone, sign: '!', word, end: <Badge tone={tone}>{String(found.length)}</Badge> }
}
