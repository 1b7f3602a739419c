import type { GuardrailFlag, OrganizationId, RunId } from '@troupe/contract'
import type { ModelOwner, ResolvedChain } from '../chain/resolve-chain.ts'
import type { AgentSnapshot } from '../ports/agent-catalog.ts'
import type { ApprovalVerdict, NewApproval } from '../ports/approvals.ts'
import type { ChatModels } from '../ports/chat-models.ts'
import type { Guardrails } from '../ports/guardrails.ts'
import type { KnowledgeSearch } from '../ports/knowledge.ts'
import type { RerankingModels } from '../ports/reranking-models.ts'
import type { RunTelemetry } from '../ports/run-telemetry.ts'
import type { SkillLibrary } from '../ports/skills.ts'
import type { Toolbox } from '../ports/toolbox.ts'
import type { UserMemories } from '../ports/user-memories.ts'
import type { RunEvents } from '../stream/run-events.ts'
import type { Ledger } from '../usage/ledger.ts'
import type { VoiceChannel } from '../voice/voice-channel.ts'
import type { ActingAgent } from './acting-agent.ts'
import type { Announcer } from './announcer.ts'
import type { CitedPassages } from './cited-passages.ts'
import type { Journal } from './journal.ts'
import type { MembersLog } from './members-log.ts'
import type { PromptLog } from './prompt-log.ts'
import type { RunBudget } from './run-budget.ts'
import type { RunClock } from './run-clock.ts'
import type { MessageIds, StreamedAnswer } from './streamed-answer.ts'
import type { Transcript } from './transcript.ts'

/** The destination of events. */
export type EventSink = Pick<RunEvents, 'emit'>

/** The stored form of the user message. */
export interface StoredInput {
  /** The message after guardrails; null: unchanged. */
  replaced: string | null
}

/** A call that a person must approve. */
export interface CallToApprove
  extends Omit<NewApproval, 'approvalId' | 'agentId' | 'expiresAt' | 'asks' | 'notice'> {
  actor: ActingAgent
  timeoutSeconds: number
  /** Recipients of a link by e-mail. */
  emails: readonly string[]
  signal: AbortSignal
}

/** Requests decisions on tool calls. */
export interface RunApprovals {
  /**
   * The verdict on a call, which is requested once.
   *
   * @throws TurnParked in a job that must wait, SliceEnded, or the reason of the call's signal.
   */
  decide(call: CallToApprove): Promise<ApprovalVerdict>
}

/** The run, its organization and its user. */
export interface RunIdentity {
  runId: RunId
  organizationId: OrganizationId
  /** The user named by the request; null: no memories are kept. `learns`: memories may be extracted from the run's texts afterwards. */
  user: { id: string; memories: UserMemories; learns: boolean } | null
  /** The spoken conversation that the run answers; absent for text. */
  voice?: VoiceChannel
  /** Whether calls with effects are denied, because the run is a test; absent: false. */
  deniesEffects?: boolean
}

/** The costs of the run so far, and their limits. */
interface RunSpending {
  ledger: Ledger
  budget: RunBudget
}

/** The texts and events that the run shows and stores. */
export interface RunOutput {
  answer: StreamedAnswer
  messageIds: MessageIds
  /** The root run's own messages. */
  transcript: Transcript
  /** null for synchronous runs. */
  events: EventSink | null
  /** Emits the events between steps, each once over all turns of a job. */
  announcer: Announcer
  /** Members' runs that have ended. */
  members: MembersLog
  /**
   * Calls of a member that may have had effects, by their keys, with the names of their tools. Absent for the root's
   * own agent, which is never replaced.
   */
  acted?: Map<string, string>
  /** The prompts sent to models. */
  prompts: PromptLog
  input: StoredInput
  /** The passages that the run has retrieved. */
  citations: CitedPassages
  /** The rules broken so far. */
  flags: GuardrailFlag[]
  /** Awaited before the result of a model call is used; null if no rule is checked beside it. */
  gate: (() => Promise<void>) | null
  /** Whether output rules check the final answer: until then, no draft of it is kept. */
  hidesDrafts?: boolean
  /** For the builder: called with the parts of the agent's system text and their settings. */
  explain?: (segments: readonly { from: string; text: string }[]) => void
}

/** The services that the run uses. */
export interface RunServices {
  models: ChatModels
  /** The chain of a model that is configured beside the agent's own; null if it is not connected. */
  resolveModel(owner: ModelOwner): Promise<ResolvedChain | null>
  guardrails: Guardrails
  approvals: RunApprovals
  knowledge: KnowledgeSearch
  reranking: RerankingModels
  skills: SkillLibrary
  /**
   * Opens the tools of an agent that works in this run; the caller disposes them. Only an agent at the root may run
   * others as tools, so that runs are one level deep.
   */
  openTools(agent: AgentSnapshot, signal: AbortSignal, level: 'root' | 'member'): Promise<Toolbox>
  telemetry: RunTelemetry
}

/** The state of a root run, shared by all of its work, including its members. */
export interface RunContext {
  identity: RunIdentity
  spending: RunSpending
  output: RunOutput
  services: RunServices
  /** Aborted with a RunAborted, which passes unchanged through every nested call. */
  signal: AbortSignal
  clock: RunClock
  journal: Journal
  /** Milliseconds since the epoch. */
  now: () => number
}
