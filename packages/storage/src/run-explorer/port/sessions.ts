import type { RunnableKind, RunStatus } from '@troupe/agents/ports'
import type {
  AgentId,
  AnyRunnableId,
  ProjectId,
  SessionRowId,
  TeamId,
  VoiceSessionId,
} from '@troupe/contract'
import type { RunOverview } from './run-list.ts'
import type { ReadableTexts } from './run-trace.ts'

// Every timestamp in this file is in milliseconds since the epoch.

/** A conversation with an agent or a team. */
export interface ObservedSession {
  id: SessionRowId
  /** The public id. */
  sessionId: string
  kind: RunnableKind
  entityId: AgentId | TeamId
  entityName: string | null
  projectId: ProjectId | null
  userId: string
  /** At most 200 characters; null if texts are not kept or not shown. */
  firstMessage: string | null
  /** The number of runs started in it. */
  runs: number
  /** The status of the newest run; null if its runs are deleted. */
  lastStatus: RunStatus | null
  /** null: no charge, or more than 200 runs, which are too many to sum in a list. */
  costMicros: number | null
  createdAt: number
  lastRunAt: number
}

/** Filter of a list of sessions; null: all. */
export interface ObservedSessionFilter {
  entityId: AnyRunnableId | null
  userId: string | null
  /** The public id. */
  sessionId: string | null
  projectId: ProjectId | 'none' | null
}

/** The place of a session in a list, newest first. */
export interface SessionPlace<Id extends SessionRowId | VoiceSessionId> {
  createdAt: number
  id: Id
}

/** A run of a conversation with its texts. */
export interface ObservedTurn {
  seq: number
  run: RunOverview
  /** null if texts are not kept. */
  input: string | null
  content: string | null
  readable: ReadableTexts
}

/** A conversation with a page of its runs. */
export interface TracedSession {
  session: ObservedSession
  /** Newest first. */
  turns: readonly ObservedTurn[]
  /** The number of the last turn of the page if there are older ones. */
  next: number | null
  /** Replaces the turns up to `coversSeq` in prompts; `readable` if all of these are. null if there is none. */
  summary: { text: string; coversSeq: number; createdAt: number; readable: boolean } | null
}
