import type { RunDetail, TracedNode } from '@troupe/contract/builder'
import type { CompiledGraph, Graph, GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { ChevronLeft, ChevronRight, ChevronsRight } from 'lucide-react'
import { BareButton } from '../../../atoms/controls/bare-button.tsx'
import { Button } from '../../../atoms/controls/button.tsx'
import { Disclosure } from '../../../atoms/layout/disclosure.tsx'
import { Markdown } from '../../../atoms/markdown/markdown.tsx'
import { Callout } from '../../../atoms/states/panels.tsx'
import type { MapStep, ShownIterations } from '../../../core/map/run-on-map.ts'
import { HANDLE_WORDS } from '../../../core/messages/en/workflows/handle-words.ts'
import { mapWords as words } from '../../../core/messages/en/workflows/map.ts'
import { outlineWords } from '../../../core/messages/en/workflows/outline.ts'
import { NodeDetails } from '../../../parts/run-node/node-details.tsx'
import { NodeLinks, NodeSettings } from '../parts/node-facts.tsx'
import { PinOfRun } from '../pins/pin-of-run.tsx'
import styles from './map.module.css'

interface VersionStepProps {
  graph: Graph
  node: GraphNode
  onChoose(nodeId: string): void
}

/** A step of a version: its description and settings, read-only. */
export function VersionStepPanel({ graph, node, onChoose }: VersionStepProps) {
  const { markdown } = node.config
  return (
    <div className={styles.panel}>
      <p>{NODE_TYPES.get(node.type)?.summary ?? outlineWords.unknownType}</p>
      {node.type === 'note' && typeof markdown === 'string' && <Markdown text={markdown} />}
      <NodeSettings node={node} />
      <NodeLinks graph={graph} node={node} onChoose={onChoose} />
    </div>
  )
}

interface RunStepProps extends VersionStepProps {
  run: RunDetail
  /** The loaded nodes. */
  nodes: readonly TracedNode[]
  steps: ReadonlyMap<string, MapStep>
  compiled: CompiledGraph
  /** Shows another iteration. */
  onPath(path: string): void
}

/** A step of a run in the displayed frame: its state with the reason, its values, and its settings. */
export function RunStepPanel({ run, graph, node, nodes, steps, compiled, onChoose, onPath }: RunStepProps) {
  const step = steps.get(node.id)
  const row = nodes.find(({ nodeId, path }) => nodeId === node.id && path === (step?.path ?? ''))
  const loops: { name: string; iterations: ShownIterations }[] = []
  for (let at = compiled.nodes.get(node.id); at; at = at.level.loop ?? undefined) {
    const iterations = steps.get(at.id)?.iterations ?? null
    if (iterations) loops.unshift({ name: at.name, iterations })
  }
  return (
    <div className={styles.panel}>
      {loops.map(({ name, iterations }) => (
        <Iterations key={name} name={name} iterations={iterations} onPath={onPath} />
      ))}
      {step?.state.status === 'skipped' && (
        <Skipped graph={graph} because={step.state.because} onChoose={onChoose} />
      )}
      {step?.state.status === 'pending' && (
        <Callout>
          <b>{words.notReached}.</b> {words.notReachedDetail}
        </Callout>
      )}
      {row && <NodeDetails run={run} node={row} />}
      {row?.status === 'completed' && compiled.nodes.get(node.id)?.role !== 'trigger' && (
        <PinOfRun
          {...{ runId: run.runId, workflowId: run.entity.id, nodeId: node.id, name: node.name }}
          path={row.path}
        />
      )}
      <Disclosure look="section" title={words.settings}>
        <VersionStepPanel graph={graph} node={node} onChoose={onChoose} />
      </Disclosure>
    </div>
  )
}

interface SkippedProps {
  graph: Graph
  because: Extract<MapStep['state'], { status: 'skipped' }>['because']
  onChoose(nodeId: string): void
}

function Skipped({ graph, because, onChoose }: SkippedProps) {
  if (because.kind === 'trigger') {
    return (
      <Callout>
        <b>{words.skipped}.</b> {words.otherTrigger}
      </Callout>
    )
  }
  const { nodeId, taken } = because
  const name = graph.nodes.find(({ id }) => id === nodeId)?.name ?? nodeId
  return (
    <Callout>
      <b>{words.skipped}.</b> {words.tookBefore}
      <BareButton className={styles.link} onPress={() => onChoose(nodeId)}>
        {name}
      </BareButton>
      {words.tookAfter(taken.map((handle) => HANDLE_WORDS[handle] ?? handle))}
    </Callout>
  )
}

interface IterationsProps {
  name: string
  iterations: ShownIterations
  onPath(path: string): void
}

/** The shown iteration of a Loop, and links to others. */
function Iterations({ name, iterations: { numbers, failed, shown, pathOf }, onPath }: IterationsProps) {
  const at = numbers.indexOf(shown)
  const go = (number: number | undefined) => number !== undefined && onPath(pathOf(number))
  const nextFailed = numbers.find((number) => number > shown && failed.has(number)) ?? [...failed][0]
  return (
    <div className={styles.iterations}>
      <span role="status">{words.iteration(at + 1, numbers.length, name)}</span>
      <Button
        size="small"
        aria-label={words.previousIteration}
        icon={<ChevronLeft size={14} />}
        isDisabled={at <= 0}
        onPress={() => go(numbers[at - 1])}
      />
      <Button
        size="small"
        aria-label={words.nextIteration}
        icon={<ChevronRight size={14} />}
        isDisabled={at >= numbers.length - 1}
        onPress={() => go(numbers[at + 1])}
      />
      {failed.size > 0 && (
        <Button size="small" icon={<ChevronsRight size={14} />} onPress={() => go(nextFailed)}>
          {`${words.nextFailed} (${words.failedIterations(failed.size)})`}
        </Button>
      )}
    </div>
  )
}
