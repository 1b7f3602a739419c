import type { Graph } from '@troupe/graph'
import type { OutputField } from '../definition/output-fields.ts'
import { NODE_TYPES } from '../definitions.ts'

/** A last step of a workflow: its output is the output of the run, or stands under its id when there are several. */
export interface OutputEnd {
  nodeId: string
  name: string
  /** As far as the settings say; empty for any value. */
  fields: OutputField[]
}

/** What runs answer with. */
export interface OutputDifference {
  before: OutputEnd[]
  after: OutputEnd[]
}

/** Of one graph; a draft of thousands of loose steps has as many ends. */
const MOST_ENDS = 100

/** Compares the shapes of the outputs of two graphs; null when callers see no difference. */
export function diffOutputs(before: Graph, after: Graph): OutputDifference | null {
  const [earlier, later] = [endsOf(before), endsOf(after)]
  const isSame = JSON.stringify(earlier.map(shapeOf(earlier))) === JSON.stringify(later.map(shapeOf(later)))
  return isSame ? null : { before: earlier.slice(0, MOST_ENDS), after: later.slice(0, MOST_ENDS) }
}

/** The name of a step is no part of the output, and the id only where there are several ends. */
function shapeOf({ length }: readonly OutputEnd[]) {
  return ({ nodeId, fields }: OutputEnd) => (length === 1 ? [fields] : [nodeId, fields])
}

/** The steps of the root without a connection that leaves them, by id: see `frameOutput` of the graph. Notes and triggers answer nothing. */
function endsOf({ nodes, edges }: Graph): OutputEnd[] {
  const levels = new Map(nodes.map(({ id, parentId }) => [id, parentId]))
  // From a Loop into its body is no way on.
  const left = new Set(
    edges.flatMap(({ source, target }) => (levels.get(source) === levels.get(target) ? [source] : [])),
  )
  return nodes
    .filter(({ id, type, parentId }) => {
      const role = NODE_TYPES.get(type)?.role
      return parentId === null && !left.has(id) && role !== 'note' && role !== 'trigger'
    })
    .map(({ id, name, type, config, disabled }) => ({
      nodeId: id,
      name,
      // A disabled step passes on what came before it.
      fields: disabled ? [] : [...(NODE_TYPES.get(type)?.outputsOf?.(config) ?? [])],
    }))
    .toSorted((one, other) => (one.nodeId < other.nodeId ? -1 : 1))
}
