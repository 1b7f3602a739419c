import type { CompiledGraph, FlowNode, Level } from '../compile/compiled-graph.ts'
import type { LoopRange } from './node-result.ts'
import type { PreparedTest } from './prepared-test.ts'

/** Status of a node in a frame. The state of its edges (unknown, taken or dead) is derived from it. */
export type NodeStatus = 'pending' | 'ready' | 'running' | 'waiting' | 'completed' | 'skipped' | 'failed'

/** Progress of a Loop. */
export interface LoopState {
  range: LoopRange
  /** The current or next iteration. */
  index: number
  /** One output for each finished iteration. */
  outputs: unknown[]
  /** Bytes of the outputs as a JSON array. */
  bytes: number
}

/** One execution of a level: the root, or one iteration of a Loop. The arrays are indexed by slot. */
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

/** A node that may start; `iteration` is set when a Loop requests its condition for that iteration. */
export interface Entry {
  frame: Frame
  node: FlowNode
  iteration: number | null
}

/** A node of a frame, as data. */
export interface Activation {
  path: string
  nodeId: string
  /** The iteration whose condition is requested; null for an ordinary start. */
  iteration: number | null
}

/** A state change, in order. Skipped nodes can be derived from the others and need not be stored. */
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
      /** JSON bytes that the output adds to the run's stored outputs; 0 for a Loop, whose iterations are counted. */
      bytes: number
      /** Whether it took a seed instead of being executed. */
      isSeeded?: true
    }
  | { kind: 'iteration'; path: string; nodeId: string; index: number; output: unknown; bytes: number }

/** The end of a run. Rejections and cancels are decided outside the graph. */
export interface Outcome {
  status: 'completed' | 'failed' | 'loop_limit_reached'
  /** Null unless completed or stopped at the ceiling of a Loop. */
  output: unknown
  /** Null unless failed. */
  error: string | null
}

/** A run in memory, private to the functions of this folder; callers hold it and read it through `planRun`. */
export interface RunState {
  readonly graph: CompiledGraph
  readonly trigger: unknown
  readonly ceiling: number
  readonly root: Frame
  /** The live frames by path. */
  readonly frames: Map<string, Frame>
  readonly variables: Map<string, unknown>
  /** In the order of the graph. */
  readonly ready: Entry[]
  /**
   * Ready nodes that are disabled, that take a seed of a test run, or that fail for lack of one. They are settled
   * before a caller sees the run.
   */
  readonly supplied: Entry[]
  /** Nodes taken from the queue without a result yet. */
  readonly running: Map<string, Activation>
  waiting: number
  /** Bytes of all stored outputs: those of nodes and those of the iterations of Loops. */
  storedBytes: number
  changes: Change[]
  /** The error messages of failures, in order. */
  readonly failures: string[]
  /** Set once no new node may start. */
  closing: 'failed' | 'loop_limit_reached' | null
  /** The Loop that hit its ceiling. */
  hit: { frame: Frame; node: FlowNode } | null
  outcome: Outcome | null
  /** True while stored results are applied; the run's end is decided only after the last one. */
  isReplaying: boolean
  /** Null for a production run. */
  readonly test: PreparedTest | null
}
