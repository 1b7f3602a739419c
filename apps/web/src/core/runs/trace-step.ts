import type { AgentRunDetail } from '@troupe/contract/builder'
import type { ShownRunState } from './run-state.ts'

type Message = AgentRunDetail['messages'][number]

/** A step of a run of an agent or a team. */
export interface TraceStep {
  id: string
  kind: 'run' | 'round' | 'member' | 'model' | 'wait' | 'tool'
  /** 0: the run itself. */
  depth: number
  title: string
  detail: string | null
  state: ShownRunState
  /** The reason for this step, as a sentence. */
  why: string
  /** Milliseconds from the beginning of the run; null: unknown. */
  startMs: number | null
  durationMs: number | null
  /** Whether `startMs` follows from the durations before it: model calls have no own times. */
  isEstimated: boolean
  error: string | null
  call: AgentRunDetail['calls'][number] | null
  tool: NonNullable<Message['toolCalls']>[number] | null
  member: AgentRunDetail['members'][number] | null
  /** The approval that a call of a tool waited for; absent or null: none. */
  approval?: NonNullable<AgentRunDetail['approvals']>[number] | null
}
