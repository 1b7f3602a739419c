/** The range of a Loop. `while` requests its condition before each iteration. */
export type LoopRange =
  | { mode: 'list'; items: readonly unknown[] }
  | { mode: 'count'; count: number }
  | { mode: 'while' }

/** Result of a node that produced an output. */
export interface Completed {
  status: 'completed'
  /** Any JSON value. The node fails if it exceeds 4 MB, or if all outputs of the run exceed 50 MB. */
  output: unknown
  /** The handles taken; defaults to `["out"]`. */
  handles?: readonly string[]
  /** The new values of variables. */
  variables?: Readonly<Record<string, unknown>>
}

/** The result of a node returned by `takeReady`. */
export type NodeResult =
  | Completed
  /** A person has to decide; `completed` or `failed` follows later, or the node continues itself (`continueWaiting`). */
  | { status: 'waiting' }
  /** `sentence` replaces `Node x ("X") failed: <message>` in the error of the run. */
  | { status: 'failed'; message: string; sentence?: string }
  /** Stopped because the run is closing; not counted as a failure. */
  | { status: 'aborted' }
  /** A Loop was opened. */
  | { status: 'repeat'; range: LoopRange }
  /** Whether the condition holds for the iteration that the Loop requested. */
  | { status: 'condition'; holds: boolean }
