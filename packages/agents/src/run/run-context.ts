import type { OrganizationId, RunId, StreamEvent } from '@troupe/contract'
import type { CitedPassages } from './cited-passages.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { ChatModels } from '../ports/chat-models.ts'
import type { KnowledgeSearch } from '../ports/knowledge.ts'
import type { RunTelemetry } from '../ports/run-telemetry.ts'
import type { Toolbox } from '../ports/toolbox.ts'
import type { RunEvents } from '../stream/run-events.ts'
import type { Announcer } from './announcer.ts'
import type { Journal } from './journal.ts'
import type { Ledger } from './ledger.ts'
import type { MembersLog } from './members-log.ts'
import type { MessageIds, StreamedAnswer } from './streamed-answer.ts'
import type { Transcript } from './transcript.ts'

/** The author of streamed content. */
export type ContentSource = Extract<StreamEvent, { event: 'RunContent' }>['source']

/** The state of a root run, shared by all of its work, including its members. */
export interface RunContext {
  runId: RunId
  organizationId: OrganizationId
  /** Aborted with a RunAborted, which passes unchanged through every nested call. */
  signal: AbortSignal
  /** Milliseconds since the epoch. */
  deadlineAt: number
  ledger: Ledger
  answer: StreamedAnswer
  messageIds: MessageIds
  /** The root run's own messages. */
  transcript: Transcript
  journal: Journal
  /** null for synchronous runs. */
  events: RunEvents | null
  /** Members' runs that have ended. */
  members: MembersLog
  /** Emits the events between steps, each once over all turns of a job. */
  announcer: Announcer
  models: ChatModels
  knowledge: KnowledgeSearch
  /** The passages that the run has retrieved. */
  citations: CitedPassages
  /** Opens the tools of an agent that works in this run; the caller disposes them. */
  openTools(agent: AgentSnapshot, signal: AbortSignal): Promise<Toolbox>
  telemetry: RunTelemetry
  /** Milliseconds since the epoch. */
  now: () => number
}
