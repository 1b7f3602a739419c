import type { CompiledGraph, FlowNode, Level } from '../compile/compiled-graph.ts'
import type { LoopRange } from './node-result.ts'

/** Where a node of a frame stands. An edge follows from it: unknown, taken or dead. */
export type NodeStatus = 'pending' | 'ready' | 'running' | 'waiting' | 'completed' | 'skipped' | 'failed'

/** How far a Loop is. */
export interface LoopState {
  range: LoopRange
  /** The iteration that runs, or is about to. */
  index: number
  /** One output for each finished iteration. */
  outputs: unknown[]
  /** Of the outputs as a JSON array. */
  bytes: number
}

/** One execution of a level: the root, or one iteration of a Loop. The arrays go by slot. */
export interface Frame {
  /** Empty for the root, else `loop1[3]/inner[0]`. */
  readonly path: string
  readonly level: Level
  /** The frame of the Loop; null for the root. */
  readonly parent: Frame | null
  /** Number of the iteration; 0 for the root. */
  readonly index: number
  readonly status: NodeStatus[]
  /** Incoming edges that may still be taken. */
  readonly unknown: number[]
  /** Whether an incoming edge was taken. */
  readonly taken: boolean[]
  readonly outputs: unknown[]
  /** The handles that a completed node took. */
  readonly handles: (readonly string[] | undefined)[]
  readonly loops: Map<FlowNode, LoopState>
  /** Nodes that are ready, running or waiting. At 0 the frame has ended. */
  active: number
}

/** A node that may start; `iteration` is set when a Loop asks whether its condition holds for that iteration. */
export interface Entry {
  frame: Frame
  node: FlowNode
  iteration: number | null
}

/** A node of a frame, as data. */
export interface Activation {
  path: string
  nodeId: string
  /** The iteration whose condition is asked for; null for an ordinary start. */
  iteration: number | null
}

/** Something that happened, in order. Skipped nodes follow from the rest and need not be stored. */
export type Change =
  | { kind: 'node'; path: string; nodeId: string; status: 'ready' | 'running' | 'waiting' | 'skipped' }
  | { kind: 'node'; path: string; nodeId: string; status: 'failed'; message: string }
  | {
      kind: 'node'
      path: string
      nodeId: string
      status: 'completed'
      output: unknown
      handles: readonly string[]
      /** What the output adds to what a run stores, as JSON; 0 for a Loop, whose iterations are counted. */
      bytes: number
    }
  | { kind: 'iteration'; path: string; nodeId: string; index: number; output: unknown; bytes: number }

/** How a run ended by itself. Rejections and cancels are not the graph's. */
export interface Outcome {
  status: 'completed' | 'failed' | 'loop_limit_reached'
  /** Null unless completed or stopped at the ceiling of a Loop. */
  output: unknown
  /** Null unless failed. */
  error: string | null
}

/** A run in memory. It belongs to the functions of this folder; callers keep it and look at `planRun`. */
export interface RunState {
  readonly graph: CompiledGraph
  readonly trigger: unknown
  readonly ceiling: number
  readonly root: Frame
  /** The frames that live, by path. */
  readonly frames: Map<string, Frame>
  readonly variables: Map<string, unknown>
  /** In canvas order. */
  readonly ready: Entry[]
  /** Taken and not answered yet. */
  readonly running: Map<string, Activation>
  waiting: number
  /** Of all outputs that are stored: those of nodes, and those of the iterations of which a Loop's is made. */
  storedBytes: number
  changes: Change[]
  /** The sentences of what failed, in order. */
  readonly failures: string[]
  /** Set when nothing new starts any more. */
  closing: 'failed' | 'loop_limit_reached' | null
  /** The Loop that hit its ceiling. */
  hit: { frame: Frame; node: FlowNode } | null
  outcome: Outcome | null
  /** While stored results are applied: the end is decided when all of them are in. */
  isReplaying: boolean
}
