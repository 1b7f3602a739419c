import type { RunId } from '@troupe/contract'
import type { VoiceSessionKey } from './session.ts'

/** A spoken turn. */
export interface VoiceTurn {
  itemId: string
  seq: number
  role: 'user' | 'assistant'
  /** For an interrupted reply, the part that was heard. */
  text: string
  interrupted: boolean
  runId: RunId | null
  /** Whole milliseconds by name. */
  metrics: Record<string, number> | null
  createdAt: Date
}

/** The transcripts of voice sessions. */
export interface VoiceTurnStore {
  /**
   * Numbers new items in the given order. A repeated item keeps its number and replaces the earlier one. Nothing is
   * stored of a session that was erased.
   */
  append(key: VoiceSessionKey, turns: readonly Omit<VoiceTurn, 'seq'>[]): Promise<void>
  /** In the order of `seq`. */
  list(key: VoiceSessionKey): Promise<VoiceTurn[]>
}
