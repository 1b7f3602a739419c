import type { APIError, tts } from '@livekit/agents'
import { cutSockets } from './voice-sockets.ts'

/** Ends a stream of a text to speech and the connections of its voice, which reports the error. */
export function failStream(voice: tts.TTS, stream: tts.SynthesizeStream, error: APIError): void {
  voice.emit('error', {
    type: 'tts_error',
    timestamp: Date.now(),
    label: voice.label,
    error,
    recoverable: false,
  })
  stream.close()
  cutSockets(voice)
}
