import type { WorkflowFinding } from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import { useCallback, useMemo } from 'react'
import { Badge } from '../../../atoms/states/badge.tsx'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { StepMap, type StepMapProps } from './step-map.tsx'

export interface DraftMapProps
  extends Pick<StepMapProps, 'chosen' | 'onChoose' | 'onLeave' | 'onList' | 'editing'> {
  graph: Graph
  findings: readonly WorkflowFinding[]
}

const NO_RUN = () => null

/** A graph without a run: its steps with their problems. */
export function DraftMap({ graph, findings, ...more }: DraftMapProps) {
  const problems = useMemo(() => Map.groupBy(findings, ({ nodeId }) => nodeId), [findings])
  const markOf = useCallback<StepMapProps['markOf']>(
    ({ id }) => {
      const found = problems.get(id) ?? []
      if (found.length === 0) return null
      const isGrave = found.some(({ severity }) => severity !== 'warning')
      const word = words.problems(found.length)
      const tone = isGrave ? 'bad' : 'warn'
      return { tone, sign: '!', word, end: <Badge tone={tone}>{String(found.length)}</Badge> }
    },
    [problems],
  )
  return <StepMap graph={graph} markOf={markOf} wasTaken={NO_RUN} {...more} />
}
