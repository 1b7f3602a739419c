import type { WorkflowFinding } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { useCallback, useMemo } from 'react'
import { Badge } from '../../../atoms/states/badge.tsx'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { pinWords } from '../../../core/messages/en/workflows/pins.ts'
import { usePins } from '../pins/use-pins.ts'
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
  ...{ tone: 'neutral', sign: '⌖', word: pinWords.pinned },
  end: <Badge tone="info">{pinWords.mark}</Badge>,
}
const PINNED_OLDER: StepMark = {
  ...{ tone: 'warn', sign: '⌖', word: pinWords.pinnedOlder },
  end: <Badge tone="warn">{pinWords.older}</Badge>,
}

/** A graph without a run: its steps with their problems, and which have a pinned output. */
export function DraftMap({ graph, findings, ...more }: DraftMapProps) {
  const pins = usePins(more.workflowId, graph)
  const problems = useMemo(() => Map.groupBy(findings, ({ nodeId }) => nodeId), [findings])
  const markOf = useCallback<StepMapProps['markOf']>(
    ({ id, disabled = false }) => {
      const found = problems.get(id) ?? []
      if (found.length === 0) {
        const pin = pins.get(id)
        if (disabled) return DISABLED
        return pin ? (pin.isOlder ? PINNED_OLDER : PINNED) : null
      }
      const isGrave = found.some(({ severity }) => severity !== 'warning')
      const count = words.problems(found.length)
      const word = disabled ? `${words.disabledState}, ${count}` : count
      const tone = isGrave ? 'bad' : 'warn'
      return { tone, sign: '!', word, end: <Badge tone={tone}>{String(found.length)}</Badge> }
    },
    [problems, pins],
  )
  return <StepMap graph={graph} markOf={markOf} wasTaken={NO_RUN} {...more} />
}
