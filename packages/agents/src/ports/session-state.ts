import type { AgentId, SessionRowId } from '@troupe/contract'
import type { StepState } from './step-state.ts'

/** Maximum UTF-8 bytes of the result of an earlier tool call in a later run: an answer has already used it. */
export const REPLAYED_RESULT_BYTES = 4 * 1024

/** Number of newest runs whose answers are replayed with provider state. */
export const REPLAYED_STATE_RUNS = 10

/** The limits of the replayed history. Bytes are those of UTF-8 text. */
export interface HistoryLimits {
  maxBytes: number
  maxRuns: number
  /** Number of newest runs that are replayed with their tool calls. */
  toolRuns: number
  /** The part of `maxBytes` that tool calls and their results may take. */
  toolBytes: number
  /** The maximum for the state of steps, within the room that texts and tool calls leave of `maxBytes`. */
  stateBytes: number
}

/** The session data that a run reads. */
export interface SessionHistoryLimits extends HistoryLimits {
  /** Only runs that were accepted before the one with this number; null: every run. */
  beforeSeq: number | null
}

/** A tool call of an earlier run, with its result. */
export interface HistoryCall {
  /** Unique within its run only. */
  id: string
  name: string
  arguments: unknown
  result: string
}

/** A step of an earlier run in which tools were called. Every call has its result. */
export interface HistoryStep {
  /** The text beside the calls; empty for none. */
  text: string
  calls: readonly HistoryCall[]
  /** Provider state to send back with it. Absent or null: none. */
  state?: StepState | null
}

/** An earlier run of a session, as the next run replays it. */
export interface HistoryRun {
  seq: number
  /** `failed` also stands for runs that timed out; only those that called tools are replayed. */
  status: 'completed' | 'cancelled' | 'failed'
  input: string
  /** The final text, or a cancelled run's partial text; of a voice turn the spoken text. null if there is none. */
  content: string | null
  /** Turns of voice: whether the caller interrupted, so that `content` is only the spoken part. */
  interrupted?: boolean | null
  /** The agent that wrote the text; null for a managed lead. */
  answeredBy: AgentId | null
  /** Its newest steps with tool calls, oldest first; absent or null unless tool calls of the run are replayed. */
  steps?: readonly HistoryStep[] | null
  /** Provider state of `content`. Absent or null: none. */
  state?: StepState | null
  /** Names of the tools that a run without a complete answer called, including its members' calls. Absent or null: none. */
  called?: readonly string[] | null
}

/** The session state that a run starts with. */
export interface SessionState {
  /** null: the caller keeps the conversation, and none of it is stored. */
  sessionRowId: SessionRowId | null
  /** The public `user_id` of the owner. */
  ownerUserId: string
  summary: { text: string; coversSeq: number; version: number } | null
  /** Newest last; only runs after the summary; cut to `maxBytes` of text by dropping the oldest first. */
  history: HistoryRun[]
  /** UTF-8 bytes of text in all completed and cancelled runs after the summary, before cutting. */
  unsummarisedBytes: number
  /**
   * The number of the oldest unfinished run after the summary, such as a long job: a summary that covered it
   * would hide its answer from later runs. null or absent when there is none.
   */
  oldestInFlight?: number | null
}

/** The state of a stored session. */
export interface StoredSessionState extends SessionState {
  sessionRowId: SessionRowId
}
