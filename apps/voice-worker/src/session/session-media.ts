import type { voice } from '@livekit/agents'
import type { AudioFrame } from '@livekit/rtc-node'

/** The audio input and output of a session: a room, or streams of a test. */
export interface SessionMedia {
  /** Starts a session that listens to one participant. */
  start(session: voice.AgentSession, agent: voice.Agent, participantIdentity: string): Promise<void>
  /** Sends a DTMF event. `code` is the event's number, `key` its character. */
  pressKey(code: number, key: string): Promise<void>
  /** Plays a clip beside the session, and resolves when it was played. */
  play(clip: AudioFrame): Promise<void>
}
