import { APIError, type tts } from '@livekit/agents'
import { failStream } from './fail-stream.ts'

const LEAST_SECONDS = 30

/**
 * The maximum duration of a spoken text. A letter takes a tenth of a second, and a sign read as a word less
 * than a second, so longer speech is not this text.
 */
export function mostSeconds(characters: number): number {
  return LEAST_SECONDS + characters
}

/**
 * Makes a streaming text to speech fail when its audio is longer than its text can be: an endless response would fill
 * the memory of the session. Changes `voice` and returns it.
 */
export function limitLength(voice: tts.TTS): tts.TTS {
  const open = voice.stream.bind(voice)
  voice.stream = (options) => watched(voice, open(options))
  return voice
}

function watched(voice: tts.TTS, stream: tts.SynthesizeStream): tts.SynthesizeStream {
  const push = stream.pushText.bind(stream)
  const read = stream.next.bind(stream)
  let characters = 0
  let seconds = 0
  stream.pushText = (text) => {
    characters += text.length
    push(text)
  }
  stream.next = async () => {
    const next = await read()
    if (next.done || typeof next.value === 'symbol') return next
    const { frame } = next.value
    seconds += frame.samplesPerChannel / frame.sampleRate
    if (seconds <= mostSeconds(characters)) return next
    failStream(
      voice,
      stream,
      new APIError('the text-to-speech provider spoke longer than its text', { retryable: false }),
    )
    return { done: true, value: undefined }
  }
  return stream
}
