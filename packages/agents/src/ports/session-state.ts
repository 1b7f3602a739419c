import type { AgentId, SessionRowId } from '@troupe/contract'
import type { StepState } from './step-state.ts'

/** The longest result of an earlier tool call that a later run sees, in UTF-8 bytes: an answer has used it already. */
export const REPLAYED_RESULT_BYTES = 4 * 1024

/** The newest runs whose answers are replayed with what their provider must get back. */
export const REPLAYED_STATE_RUNS = 10

/** How much history a run replays. Bytes are those of UTF-8 text. */
export interface HistoryLimits {
  maxBytes: number
  maxRuns: number
  /** The newest runs that are replayed with their tool calls. */
  toolRuns: number
  /** Of `maxBytes`, what tool calls and their results may take. */
  toolBytes: number
  /** Of what texts and tool calls leave of `maxBytes`, what the state of steps may take. */
  stateBytes: number
}

/** What a run reads of its session. */
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
  /** What its provider must get back with it. Absent or null: nothing. */
  state?: StepState | null
}

/** An earlier run of a session, as the next run replays it. */
export interface HistoryRun {
  seq: number
  /** `failed` also stands for runs that ran out of time; only those are replayed that have called tools. */
  status: 'completed' | 'cancelled' | 'failed'
  input: string
  /** The final text, or a cancelled run's partial text; of a turn of voice what was spoken. null when there is none. */
  content: string | null
  /** Turns of voice: whether the caller interrupted, so that `content` is only the spoken part. */
  interrupted?: boolean | null
  /** The agent that wrote the text; null for a managed lead. */
  answeredBy: AgentId | null
  /** Its newest steps with tool calls, oldest first; absent or null unless tool calls of the run are replayed. */
  steps?: readonly HistoryStep[] | null
  /** What the provider of `content` must get back with it. Absent or null: nothing. */
  state?: StepState | null
  /** Names of the tools that were called, by members too, in a run without a complete answer. Absent or null: none. */
  called?: readonly string[] | null
}

/** The session state that a run starts with. */
export interface SessionState {
  /** null: the caller keeps the conversation, and nothing of it is stored. */
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

/** The state of a session that is stored. */
export interface StoredSessionState extends SessionState {
  sessionRowId: SessionRowId
}
