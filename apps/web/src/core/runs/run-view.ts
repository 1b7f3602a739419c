import type {
  AgentId,
  AgentRunResult,
  ApprovalId,
  Citation,
  CoordinationMode,
  IdText,
  RunId,
  StreamEvent,
  TaskStatus,
} from '@troupe/contract'

type EventNamed<Name extends StreamEvent['event']> = Extract<StreamEvent, { event: Name }>

/** The reason why a text was withdrawn. */
export type WithdrawalReason = EventNamed<'RunContentReset'>['reason']

/** A text of a model: the answer, or an intermediate text. */
export interface TextStep {
  kind: 'text'
  /** The id of the message. */
  key: string
  /** The number of its first event: texts of several agents are ordered by it. */
  seq: number
  author: string
  channel: 'answer' | 'trace'
  text: string
  /** null: not withdrawn. */
  withdrawn: WithdrawalReason | null
}

export interface ReasoningStep {
  kind: 'reasoning'
  key: string
  text: string
}

/** A decision that a call waits for, or waited for. */
export interface ApprovalOfCall {
  approvalId: IdText<ApprovalId>
  /** Unix seconds; the call is denied at this time if it is still undecided. */
  expiresAt: number
  /** null: undecided. */
  decision: 'approved' | 'denied' | 'expired' | null
  reason: string | null
}

export interface ToolStep {
  kind: 'tool'
  key: string
  toolName: string
  args: Readonly<Record<string, unknown>>
  /** `waiting`: for an approval. */
  state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped'
  result: string | null
  isCut: boolean
  durationMs: number | null
  error: string | null
  approval: ApprovalOfCall | null
}

type NamedModel = EventNamed<'ModelFailover'>['from']

export interface FailoverStep {
  kind: 'failover'
  key: string
  purpose: string
  from: NamedModel
  to: NamedModel
  reason: string
}

/** The call of a member: its own steps are in its lane. */
interface MemberStep {
  kind: 'member'
  key: string
}

/** One round of a plan. */
export interface RoundStep {
  kind: 'round'
  key: string
  round: number
  most: number
  /** null: it is under way. */
  verdict: string | null
  reason: string | null
}

export type RunStep = TextStep | ReasoningStep | ToolStep | FailoverStep | MemberStep | RoundStep

/** The activity of one agent within a run. */
export interface LaneWork {
  steps: readonly RunStep[]
  /** The purpose of the current model call: `chat`, `route`, `plan`; null without one. */
  purpose: string | null
  inputTokens: number
  outputTokens: number
  /** The number of model answers. */
  modelCalls: number
  /** The purposes of its model calls, each once: `route`, `synthesis`. */
  asked: readonly string[]
  /** The purposes answered by the newest call, each once. */
  answered: readonly string[]
}

/** The run of a member within the run of its team. */
export interface MemberLane extends LaneWork {
  memberRunId: IdText<RunId>
  agentId: IdText<AgentId> | null
  agentName: string
  /** The member's input; null: not announced. */
  task: string | null
  state: 'running' | 'completed' | 'failed' | 'cancelled'
  /** Its answer, at most 8 KB. */
  content: string | null
  error: string | null
}

export interface PlannedTask {
  id: string
  title: string
  status: TaskStatus
  /** null: the lead itself. */
  assigneeAgentId: IdText<AgentId> | null
  dependsOn: readonly string[]
}

/** The plan of a team that plans. */
export interface PlanBoard {
  goal: string
  criteria: readonly { id: string; text: string }[]
  tasks: readonly PlannedTask[]
}

/** The end of a run. */
export type ShownRunEnd =
  | {
      kind: 'completed'
      content: string
      success: boolean
      citations: readonly Citation[]
      /** null: not known, because only the run's row was read. */
      flags: NonNullable<AgentRunResult['flags']> | null
      failoverUsed: boolean
      latencyMs: number | null
    }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'cancelled'; content: string }

/** A run, built from its events so far. */
export interface RunView {
  /** null before the first event. */
  runId: IdText<RunId> | null
  /** The number of the last event that is in here. */
  lastSeq: number
  kind: 'agent' | 'team' | null
  name: string | null
  /** null: of an agent, or not known yet. */
  mode: CoordinationMode | null
  sessionId: string | null
  /** The activity of the agent itself, or of the team's lead. */
  own: LaneWork
  /** In the order of their starts. */
  lanes: readonly MemberLane[]
  plan: PlanBoard | null
  end: ShownRunEnd | null
}

const NO_WORK: LaneWork = {
  ...{ steps: [], purpose: null, inputTokens: 0, outputTokens: 0, modelCalls: 0 },
  ...{ asked: [], answered: [] },
}

export const NEW_RUN: RunView = {
  runId: null,
  lastSeq: 0,
  kind: null,
  name: null,
  mode: null,
  sessionId: null,
  own: NO_WORK,
  lanes: [],
  plan: null,
  end: null,
}

/** An empty lane. */
export function newLane(
  memberRunId: IdText<RunId>,
  agentId: IdText<AgentId> | null,
  agentName: string,
): MemberLane {
  const facts = { task: null, state: 'running', content: null, error: null } as const
  return { ...NO_WORK, memberRunId, agentId, agentName, ...facts }
}

/** The current answer: the result, or the caller texts that were not withdrawn, in order. */
export function answerOf({ own, lanes, end }: RunView): string {
  if (end?.kind === 'completed' || (end?.kind === 'cancelled' && end.content !== '')) return end.content
  return answerTexts({ own, lanes })
    .filter(({ withdrawn }) => withdrawn === null)
    .map(({ text }) => text)
    .join('')
}

/** Every text that was written for the caller, in the order of their starts. */
export function answerTexts({ own, lanes }: Pick<RunView, 'own' | 'lanes'>): TextStep[] {
  return [own, ...lanes]
    .flatMap(({ steps }) => steps)
    .filter((step) => step.kind === 'text')
    .filter(({ channel }) => channel === 'answer')
    .sort((a, b) => a.seq - b.seq)
}

/** The tokens of a run so far. */
export function runTokens({ own, lanes }: RunView): { inputTokens: number; outputTokens: number } {
  const all = [own, ...lanes]
  return {
    inputTokens: all.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: all.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  }
}
