import { type llm, voice } from '@livekit/agents'
import { WithheldSpeech } from './withheld-speech.ts'

/** The events of an SDK session that matter here. */
export interface SessionObserver {
  /** The agent's state is `listening` and the caller does not speak. */
  quiet(): void
  agentActive(): void
  agentAudible(): void
  callerSpoke(): void
  speechCreated(speech: voice.SpeechHandle): void
  itemAdded(message: llm.ChatMessage): void
  /** The caller spoke, but nothing was transcribed. */
  notUnderstood(): void
  /** A provider or the server failed for good. */
  failed(error: unknown): void
  closed(reason: string): void
}

/** Reports a session's events until it closes. `aecWarmupMs` is the session option of that name. */
export function observeSession(
  session: voice.AgentSession,
  observer: SessionObserver,
  aecWarmupMs: number,
): void {
  const events = voice.AgentSessionEventTypes
  const withheld = new WithheldSpeech(aecWarmupMs)
  session.on(events.AgentStateChanged, ({ newState }) => {
    withheld.agentAudible(newState === 'speaking')
    if (newState === 'speaking') observer.agentAudible()
    if (newState === 'listening' && session.userState !== 'speaking') observer.quiet()
    else observer.agentActive()
  })
  session.on(events.UserStateChanged, ({ newState }) => {
    if (newState === 'speaking') {
      withheld.callerSpoke()
      observer.callerSpoke()
    } else if (newState === 'listening' && session.agentState === 'listening') observer.quiet()
  })
  session.on(events.SpeechCreated, ({ speechHandle }) => {
    withheld.speechCreated(speechHandle)
    observer.speechCreated(speechHandle)
  })
  session.on(events.ConversationItemAdded, ({ item }) => {
    // Items of other types are not messages.
    if (item.type === 'message') observer.itemAdded(item)
  })
  session.on(events.UserTranscriptionTimeout, () => {
    if (!withheld.isWithheld) observer.notUnderstood()
  })
  session.on(events.Error, ({ error }) => {
    const isPassing = 'recoverable' in error && error.recoverable
    if (!isPassing) observer.failed(error)
  })
  session.on(events.Close, ({ reason }) => observer.closed(reason))
}
