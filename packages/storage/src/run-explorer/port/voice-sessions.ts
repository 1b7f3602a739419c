import type { AgentId, ProjectId, SessionRowId, VoiceSessionId } from '@troupe/contract'

// Every timestamp in this file is in milliseconds since the epoch.

/** A voice session or an outbound call in a list. */
export interface ObservedVoiceSession {
  voiceSessionId: VoiceSessionId
  kind: 'web' | 'outbound_call'
  state: 'starting' | 'waiting' | 'dialing' | 'active' | 'completed' | 'failed'
  endedReason: string | null
  /** Why a call failed, as a sentence; null for others. */
  failureMessage: string | null
  /** The carrier's last answer; null if there was none, or in the browser. */
  sipStatusCode: number | null
  agentId: AgentId
  /** null: deleted. */
  agentName: string | null
  projectId: ProjectId | null
  userId: string | null
  /** E.164; null in the browser. */
  to: string | null
  createdAt: number
  /** When the caller joined last, or the callee answered. */
  connectedAt: number | null
  endedAt: number | null
  /** Billed seconds; null until it ends. */
  countedS: number | null
  /** The row of the conversation; null if it has no turn. */
  sessionId: SessionRowId | null
}

/** Filter of a list of voice sessions; null: all. */
export interface ObservedVoiceFilter {
  agentId: AgentId | null
  state: 'in_flight' | 'completed' | 'failed' | null
  /** `none`: without a project. */
  projectId: ProjectId | 'none' | null
}
