import type { AgentId, ProjectId, VoiceSessionId } from '@troupe/contract'

// Every timestamp in this file is in milliseconds since the epoch.

/** A voice session or an outbound call in a list. */
export interface ObservedVoiceSession {
  voiceSessionId: VoiceSessionId
  kind: 'web' | 'outbound_call'
  state: 'starting' | 'waiting' | 'dialing' | 'active' | 'completed' | 'failed'
  endedReason: string | null
  /** Why a call did not come about, as a sentence; null for others. */
  failureMessage: string | null
  /** What the carrier answered last; null: nothing, or in the browser. */
  sipStatusCode: number | null
  agentId: AgentId
  /** null: it is deleted. */
  agentName: string | null
  projectId: ProjectId | null
  userId: string | null
  /** E.164; null in the browser. */
  to: string | null
  createdAt: number
  /** When the caller joined last, or the callee answered. */
  connectedAt: number | null
  endedAt: number | null
  /** Seconds that usage counts; null until it ends. */
  countedS: number | null
  /** The row of the conversation; null: no turn was taken. */
  sessionId: string | null
}

/** Which voice sessions a list shows; null: all. */
export interface ObservedVoiceFilter {
  agentId: string | null
  state: 'in_flight' | 'completed' | 'failed' | null
  /** `none`: of no project. */
  projectId: string | null
}
