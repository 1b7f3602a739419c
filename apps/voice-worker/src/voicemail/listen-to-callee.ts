import { voice } from '@livekit/agents'
import type { FirstWords } from './first-words.ts'

/** Passes on a session's speech events from now on. */
export function listenToCallee(session: voice.AgentSession, words: FirstWords): void {
  const events = voice.AgentSessionEventTypes
  session.on(events.UserStateChanged, ({ oldState, newState }) => {
    if (newState === 'speaking') words.speechBegan()
    else if (oldState === 'speaking') words.speechEnded()
  })
  session.on(events.UserInputTranscribed, ({ transcript, isFinal }) => {
    if (isFinal) words.understood(transcript)
  })
}
