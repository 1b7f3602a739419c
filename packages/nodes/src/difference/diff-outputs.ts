import type { Graph } from '@troupe/graph'
import type { OutputField } from '../definition/output-fields.ts'
import { NODE_TYPES } from '../definitions.ts'

/** A last step of a workflow: its output is the output of the run, or under its id if there are several. */
export interface OutputEnd {
  nodeId: string
  name: string
  /** The known fields, from its settings; empty for any value. */
  fields: OutputField[]
}

/** The shape of the outputs of runs. */
export interface OutputDifference {
  before: OutputEnd[]
  after: OutputEnd[]
}

/** Maximum ends of one graph; a draft of thousands of unconnected steps has as many ends. */
const MOST_ENDS = 100

/** Compares the shapes of the outputs of two graphs; null if callers see no difference. */
export function diffOutputs(before: Graph, after: Graph): OutputDifference | null {
  const [earlier, later] = [endsOf(before), endsOf(after)]
  const isSame = JSON.stringify(earlier.map(shapeOf(earlier))) === JSON.stringify(later.map(shapeOf(later)))
  return isSame ? null : { before: earlier.slice(0, MOST_ENDS), after: later.slice(0, MOST_ENDS) }
}

/** The name of a step is not part of the output, and its id only if there are several ends. */
function shapeOf({ length }: readonly OutputEnd[]) {
  return ({ nodeId, fields }: OutputEnd) => (length === 1 ? [fields] : [nodeId, fields])
}

/** The steps of the root without an outgoing connection, by id: see `frameOutput` of the graph. Notes and triggers output nothing. */
function endsOf({ nodes, edges }: Graph): OutputEnd[] {
  const levels = new Map(nodes.map(({ id, parentId }) => [id, parentId]))
  // A connection from a Loop into its body is not outgoing.
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
      // A disabled step passes on the previous output.
      fields: disabled ? [] : [...(NODE_TYPES.get(type)?.outputsOf?.(config) ?? [])],
    }))
    .toSorted((one, other) => (one.nodeId < other.nodeId ? -1 : 1))
}
