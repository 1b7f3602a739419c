import type { NodeRole, NodeType, NodeTypes } from '../model/node-types.ts'

/** A node ready to be executed. Notes are omitted. */
export interface FlowNode {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly config: Record<string, unknown>
  readonly role: NodeRole
  readonly facts: NodeType
  readonly handles: readonly string[]
  /**
   * Passes on the output of the previous step instead of executing its type: `facts` are those of a pass-through step.
   */
  readonly isDisabled: boolean
  /** Unique position in the order of the graph (`inFlowOrder`); the nodes of a body directly follow their Loop. */
  readonly order: number
  /** Index among the nodes of its level. */
  readonly slot: number
  readonly level: Level
  /** The body of a Loop; null for every other node. */
  readonly body: Level | null
  /** Edges to nodes of the same level. */
  readonly out: readonly FlowEdge[]
  /** Edges from nodes of the same level. */
  readonly incoming: readonly FlowEdge[]
}

/** An edge inside a level. */
export interface FlowEdge {
  readonly handle: string
  readonly source: FlowNode
  readonly target: FlowNode
}

/** The nodes that a frame executes: those of the root, or those of the body of a Loop. */
export interface Level {
  /** Null for the root. */
  readonly loop: FlowNode | null
  /** In the order of the graph; the index is the slot. */
  readonly nodes: readonly FlowNode[]
  /** Slots of the nodes that an edge from the Loop's `body` enters. */
  readonly entries: ReadonlySet<number>
}

/** Nodes that can never run, with the reason. */
export interface UnreachableGroup {
  nodes: readonly FlowNode[]
  /** `no path from a trigger`, or `cycle: a -> b -> a`. */
  reason: string
}

/** A graph prepared for execution: compiled once per version, immutable, without state of a run. */
export interface CompiledGraph {
  readonly types: NodeTypes
  readonly nodes: ReadonlyMap<string, FlowNode>
  readonly root: Level
  readonly triggers: readonly FlowNode[]
  /** Empty if every node can run. */
  readonly unreachable: readonly UnreachableGroup[]
}
