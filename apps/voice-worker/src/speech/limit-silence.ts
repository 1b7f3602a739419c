import { APITimeoutError, type tts } from '@livekit/agents'

/** The longest wait of the only voice of a session for its next frame. A caller takes a longer silence for the end. */
export const LAST_FRAME_MS = 15_000

/**
 * A streaming text to speech that fails when it was given the whole text and its reader then waits for a frame for longer than
 * `silenceMs`. The SDK waits for ever for a provider that accepts a text and never answers. Changes the given one and returns it.
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
  const fail = () => {
    const error = new APITimeoutError({ message: 'the text to speech said nothing' })
    voice.emit('error', {
      type: 'tts_error',
      timestamp: Date.now(),
      label: voice.label,
      error,
      recoverable: false,
    })
    stream.close()
  }
  const wait = () => {
    if (isWhole && isReading) timer ??= setTimeout(fail, silenceMs)
  }
  stream.endInput = () => {
    end()
    isWhole = true
    wait()
  }
  // Only a reader that waits is kept waiting: between two frames it plays what it has.
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
