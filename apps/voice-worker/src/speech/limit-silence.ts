import { APITimeoutError, type tts } from '@livekit/agents'
import { failStream } from './fail-stream.ts'

/** Time limit for the next frame of a session's only voice. Callers take a longer silence for the end. */
export const LAST_FRAME_MS = 15_000

/**
 * Makes a streaming text to speech fail if it has the whole text and its reader waits longer than `silenceMs` for a frame. The SDK
 * waits forever for a provider that accepts a text and never responds. Modifies and returns its argument.
 */
export function limitSilence(voice: tts.TTS, silenceMs = LAST_FRAME_MS): tts.TTS {
  const open = voice.stream.bind(voice)
  voice.stream = (options) => watched(voice, open(options), silenceMs)
  return voice
}

function watched(voice: tts.TTS, stream: tts.SynthesizeStream, silenceMs: number): tts.SynthesizeStream {
  const end = stream.endInput.bind(stream)
  const read = stream.next.bind(stream)
  let isWhole = false
  let isReading = false
  let timer: NodeJS.Timeout | undefined
  const fail = () =>
    failStream(
      voice,
      stream,
      new APITimeoutError({ message: 'the text-to-speech provider returned no audio' }),
    )
  const wait = () => {
    if (isWhole && isReading) timer ??= setTimeout(fail, silenceMs)
  }
  stream.endInput = () => {
    end()
    isWhole = true
    wait()
  }
  // The limit applies only while the reader waits: between two frames it plays its buffer.
  stream.next = async () => {
    isReading = true
    wait()
    try {
      return await read()
    } finally {
      isReading = false
      clearTimeout(timer)
      timer = undefined
    }
  }
  return stream
}
