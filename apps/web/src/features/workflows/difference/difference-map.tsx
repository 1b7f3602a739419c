import type { IdText, WorkflowId } from '@troupe/contract'
import { type Graph, type GraphNode, joinedGraph } from '@troupe/graph'
import { Minus, Pencil, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { SplitView } from '../../../atoms/overlays/split-view.tsx'
import { differenceWords as words } from '../../../core/messages/en/workflows/publish.ts'
import { StepMap, type StepMark } from '../map/step-map.tsx'
import styles from './difference.module.css'
import { NodeChange, type ShownDifference } from './node-change.tsx'

const MARKS = {
  added: { tone: 'good', sign: '+', end: <Plus size={14} aria-hidden="true" /> },
  removed: { tone: 'removed', sign: '−', end: <Minus size={14} aria-hidden="true" /> },
  changed: { tone: 'info', sign: '~', end: <Pencil size={14} aria-hidden="true" /> },
} as const

export interface DifferenceMapProps {
  workflowId: IdText<WorkflowId>
  before: Graph
  after: Graph
  difference: ShownDifference
  onList(): void
}

/** Two graphs in one diagram: added and changed steps are marked, and removed ones are an outline in their previous position. */
export function DifferenceMap({ workflowId, before, after, difference, onList }: DifferenceMapProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const graph = useMemo(() => joinedGraph(before, after), [before, after])
  const changes = useMemo(
    () => new Map(difference.nodes.map((change) => [change.nodeId, change])),
    [difference],
  )
  const ways = useMemo(
    () =>
      new Map(
        difference.edges.map(({ change, source, sourceHandle, target }) => [
          JSON.stringify([source, sourceHandle, target]),
          change,
        ]),
      ),
    [difference],
  )
  const markOf = useCallback(
    ({ id }: GraphNode): StepMark | null => {
      const change = changes.get(id)?.change
      if (change === undefined) return null
      const { end, ...mark } = MARKS[change]
      const word = words.change[change]
      return {
        ...mark,
        word,
        end: (
          <span className={styles.change} data-change={change}>
            {end}
            {word}
          </span>
        ),
      }
    },
    [changes],
  )
  const wasTaken = useCallback(
    ({ source, handle, target }: { source: string; handle: string; target: string }) => {
      const change = ways.get(JSON.stringify([source, handle, target]))
      return change === undefined ? null : change === 'added'
    },
    [ways],
  )
  const node = graph.nodes.find(({ id }) => id === chosen) ?? null
  const change = chosen === null ? undefined : changes.get(chosen)
  return (
    <SplitView
      hint={words.mapHint}
      look="below"
      panel={
        node && {
          title: node.name,
          content: change ? (
            <ul className={styles.list} aria-label={words.label}>
              <NodeChange node={change} />
            </ul>
          ) : (
            <p>{words.unchanged}</p>
          ),
          onClose: () => setChosen(null),
        }
      }
    >
      <p className={styles.legend}>
        {(['added', 'removed', 'changed'] as const).map((kind) => (
          <span key={kind} className={styles.change} data-change={kind}>
            {MARKS[kind].end}
            {words.legend[kind]}
          </span>
        ))}
      </p>
      <StepMap
        {...{ workflowId, graph, markOf, wasTaken, chosen, onList }}
        onChoose={setChosen}
        onLeave={() => setChosen(null)}
      />
    </SplitView>
  )
}
