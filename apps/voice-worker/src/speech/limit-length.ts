import { APIError, type tts } from '@livekit/agents'
import { failStream } from './fail-stream.ts'

const LEAST_SECONDS = 30

/**
 * The maximum duration of a spoken text. A letter takes a tenth of a second, and a sign that stands for a word
 * less than one, so a voice that speaks longer does not speak this text.
 */
export function mostSeconds(characters: number): number {
  return LEAST_SECONDS + characters
}

/**
 * A streaming text to speech that fails when it speaks longer than its text can last: what a provider sends without an end fills the
 * memory of the session. Changes the given one and returns it.
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
