/** A tenant's script and the limits of one run of it. */
export interface Script {
  /** A JavaScript module with `export default (input) => …`. */
  source: string
  timeoutMs: number
  memoryMb: number
}

/** Why a script has no result. */
export type ScriptFault =
  | 'syntax'
  | 'thrown'
  | 'time'
  | 'memory'
  | 'recursion'
  | 'pending'
  | 'result'
  | 'crashed'

/** The outcome of a run: the result as JSON, or a sentence for the model. */
export type ScriptOutcome =
  | { ok: true; json: string }
  | { ok: false; fault: ScriptFault; message: string; line: number | null }

/** The work of a sandbox thread. `check` compiles and executes nothing. */
export type ThreadRequest = { kind: 'check'; source: string } | { kind: 'run'; script: Script; input: string }

/** Messages of a sandbox thread; `ready` once it can work. */
export type ThreadAnswer =
  | { kind: 'ready' }
  /** `spent`: the thread holds much memory and should be replaced. */
  | { kind: 'done'; outcome: ScriptOutcome; spent: boolean }
