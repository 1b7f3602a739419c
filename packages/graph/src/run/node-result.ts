/** What a Loop repeats over. `while` asks for its condition before each iteration. */
export type LoopRange =
  | { mode: 'list'; items: readonly unknown[] }
  | { mode: 'count'; count: number }
  | { mode: 'while' }

/** A node that gave its output. */
export interface Completed {
  status: 'completed'
  /** Any JSON value. More than 4 MB of it, or of all outputs of the run more than 50 MB, fail the node instead. */
  output: unknown
  /** The handles taken; `["out"]` unless said. */
  handles?: readonly string[]
  /** The new values of variables. */
  variables?: Readonly<Record<string, unknown>>
}

/** What became of a node that was taken. */
export type NodeResult =
  | Completed
  /** A person has to answer; `completed` or `failed` comes later. */
  | { status: 'waiting' }
  /** `sentence` stands in the error of the run in place of `Node x ("X") failed: <message>`. */
  | { status: 'failed'; message: string; sentence?: string }
  /** Stopped because the run is closing; not a failure of its own. */
  | { status: 'aborted' }
  /** A Loop was opened. */
  | { status: 'repeat'; range: LoopRange }
  /** Whether the condition holds for the iteration that the Loop asked about. */
  | { status: 'condition'; holds: boolean }
