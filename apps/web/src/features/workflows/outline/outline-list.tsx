import type { WorkflowFinding } from '@troupe/contract'
import {
  firstRows,
  type Outline,
  type OutlineBranch,
  type OutlineRow,
  type OutlineStep,
} from '@troupe/editor/outline/outline'
import type { GraphNode } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { Section } from '../../../atoms/layout/page.tsx'
import { useIsSplit } from '../../../atoms/overlays/use-is-split.ts'
import { Badge, DraftMark } from '../../../atoms/states/badge.tsx'
import { type TreeNode, TreeView } from '../../../atoms/tree/tree-view.tsx'
import { stepWords, outlineWords as words } from '../../../core/messages/en/workflows/outline.ts'
import type { PresentPerson } from '../../../core/workflows/present-people.ts'
import { stepSummary } from '../../../core/workflows/step-summary.ts'
import { NodeIcon } from '../parts/node-icon.tsx'
import { PinMark, pinSpoken } from '../pins/pin-mark.tsx'
import type { ShownPin } from '../pins/use-pins.ts'
import { usePresence } from '../presence/presence-context.tsx'
import { Initials, spokenPeople } from '../presence/presence-marks.tsx'
import styles from './outline.module.css'

/** Rows rendered per step: a tree of thousands would freeze the page. */
const ROWS_PER_STEP = 300

export interface OutlineListProps {
  outline: Outline
  findings: readonly WorkflowFinding[]
  /** Ids of nodes with unsaved edits. */
  unsaved: ReadonlySet<string>
  /** By step id. */
  pins: ReadonlyMap<string, ShownPin>
  /** The id of a node. */
  chosen: string | null
  onChoose(nodeId: string): void
  /** Adds a step after this one; absent: the graph is read-only. */
  onAdd?: ((node: GraphNode) => void) | undefined
  /** The id of the step after which one is being added; null: none. */
  adding: string | null
}

/** The steps of a graph as a tree. */
export function OutlineList(props: OutlineListProps) {
  const { outline, findings, unsaved, pins, chosen, onChoose, onAdd, adding } = props
  const [most, setMost] = useState(ROWS_PER_STEP)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const isPressed = !useIsSplit()
  const problems = useMemo(() => Map.groupBy(findings, ({ nodeId }) => nodeId), [findings])
  const { byStep: people } = usePresence()
  const marks = { problems, unsaved, pins, people, onAdd, adding }
  const { rows, left } = firstRows(outline.rows, most)
  const tree = treeOf(rows, marks)
  const ids = idsOf(tree)
  const groups = [
    { id: 'unreached', title: words.unreached, detail: words.unreachedDetail, nodes: outline.unreached },
    { id: 'notes', title: words.notes, detail: null, nodes: outline.notes },
  ]
  return (
    <>
      {rows.length > 0 && (
        <>
          <TreeView
            label={words.steps}
            nodes={tree}
            expanded={new Set(ids.filter((id) => !closed.has(id)))}
            onExpand={(expanded) => setClosed(new Set(ids.filter((id) => !expanded.has(id))))}
            selected={chosen}
            isPressed={isPressed}
            onSelect={(id) => onChoose(nodeOf(rows, id))}
          />
          {left > 0 && (
            <Button emphasis="quiet" onPress={() => setMost(most + ROWS_PER_STEP)}>
              {words.more(left)}
            </Button>
          )}
        </>
      )}
      {groups
        .filter(({ nodes }) => nodes.length > 0)
        .map(({ id, title, detail, nodes }) => (
          <Section key={id} title={title} detail={detail}>
            <TreeView
              label={title}
              nodes={nodes
                .slice(0, most)
                .map((node) =>
                  stepRow({ kind: 'step', id: node.id, node, children: [], start: null }, marks),
                )}
              expanded={new Set()}
              onExpand={() => undefined}
              selected={chosen}
              isPressed={isPressed}
              onSelect={onChoose}
            />
            {nodes.length > most && (
              <Button emphasis="quiet" onPress={() => setMost(most + ROWS_PER_STEP)}>
                {words.more(nodes.length - most)}
              </Button>
            )}
          </Section>
        ))}
    </>
  )
}

type Problems = ReadonlyMap<string | null, readonly WorkflowFinding[]>

/** The marks of steps. */
interface Marks {
  problems: Problems
  unsaved: ReadonlySet<string>
  pins: ReadonlyMap<string, ShownPin>
  people: ReadonlyMap<string, readonly PresentPerson[]>
  onAdd: OutlineListProps['onAdd']
  adding: string | null
}

function treeOf(rows: readonly OutlineRow[], marks: Marks): TreeNode[] {
  return rows.map((row) => {
    switch (row.kind) {
      case 'step':
        return stepRow(row, marks)
      case 'branch':
        return branchRow(row, marks)
      case 'reference': {
        const name = words.goesOnAt(row.target.name)
        return { id: row.id, name, label: <span className={styles.branch}>{name}</span> }
      }
      default:
        return row satisfies never
    }
  })
}

function stepRow({ id, node, children, start }: OutlineStep, marks: Marks): TreeNode {
  const found = marks.problems.get(node.id) ?? []
  const isUnsaved = marks.unsaved.has(node.id)
  const pin = marks.pins.get(node.id)
  const people = marks.people.get(node.id)
  const spokenHere = spokenPeople(people)
  const isGrave = found.some(({ severity }) => severity !== 'warning')
  const title = NODE_TYPES.get(node.type)?.title ?? node.type
  const summary = stepSummary(node)
  const { onAdd } = marks
  // A note, for example, leads nowhere.
  const leadsOn = NODE_TYPES.get(node.type)?.handles(node.config).length !== 0
  return {
    id,
    name: node.name,
    // The accessible name of a row, without the marks at its end.
    spoken: [
      start === null ? node.name : `${words.starts[start]} ${node.name}`,
      ...(node.disabled ? [words.disabled] : []),
      ...(pin ? [pinSpoken(pin)] : []),
      ...(isUnsaved ? [words.unsaved] : []),
      ...(found.length > 0 ? [words.problems(found.length)] : []),
      ...(spokenHere === null ? [] : [spokenHere]),
    ].join(', '),
    lead: <NodeIcon type={node.type} isTile />,
    ...(onAdd &&
      leadsOn && {
        action: () => (
          <Button
            emphasis="quiet"
            size="small"
            icon={<Plus size={14} />}
            aria-label={stepWords.addAfter(node.name)}
            onPress={() => onAdd(node)}
          />
        ),
        isActing: marks.adding === node.id,
      }),
    label: (
      <>
        {start !== null && <span className={styles.start}>{words.starts[start]} </span>}
        {node.name}
        <span className={styles.comma}>, </span>
        <span className={styles.type}>
          {title}
          {summary !== null && ` · ${summary}`}
        </span>
      </>
    ),
    ...(found.length === 0 && !isUnsaved && !node.disabled && !pin && !people
      ? {}
      : {
          end: (
            <>
              <Initials people={people} />
              {node.disabled && <Badge>{words.disabled}</Badge>}
              {pin && <PinMark isOlder={pin.isOlder} />}
              {isUnsaved && <DraftMark>{words.unsaved}</DraftMark>}
              {found.length > 0 && (
                <Badge tone={isGrave ? 'bad' : 'warn'}>{words.problems(found.length)}</Badge>
              )}
            </>
          ),
        }),
    children: treeOf(children, marks),
  }
}

function branchRow({ id, handle, leads, children }: OutlineBranch, marks: Marks): TreeNode {
  const name = handle === null ? words.together : (words.handles[handle] ?? handle)
  const isEmpty = children.length === 0
  return {
    id,
    name,
    label: (
      <span className={styles.branch}>
        <b>{name}</b>
        {isEmpty && ` ${words.otherwise[leads]}`}
      </span>
    ),
    children: treeOf(children, marks),
  }
}

function idsOf(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(({ id, children = [] }) => [id, ...idsOf(children)])
}

/** The node of a row: for a branch its source, for a reference its target. */
function nodeOf(rows: readonly OutlineRow[], id: string): string {
  for (const row of rows) {
    if (row.id === id) {
      return row.kind === 'step' ? row.node.id : row.kind === 'branch' ? row.nodeId : row.target.id
    }
    const found = row.kind === 'reference' ? '' : nodeOf(row.children, id)
    if (found !== '') return found
  }
  return ''
}
