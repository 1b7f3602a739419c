import { inference, type VADEvent, VADEventType, type VADStream } from '@livekit/agents'
import { AudioFrame } from '@livekit/rtc-node'

/**
 * The local VAD, whose utterances keep their audio. The SDK's own (1.9.0) returns a view of its buffer, and overwrites the first
 * half second with the end of the utterance before it was read.
 */
export class UtteranceVad extends inference.VAD {
  override stream(): VADStream {
    const stream = super.stream()
    const send: unknown = Reflect.get(stream, 'sendVADEvent')
    if (typeof send !== 'function') throw new Error('The VAD of the SDK reports its events differently')
    const sendOwn = (event: VADEvent) => send.call(stream, withOwnFrames(event))
    Object.defineProperty(stream, 'sendVADEvent', { value: sendOwn })
    return stream
  }
}

/** Frames of single windows are not reused, and too many to copy. */
function withOwnFrames(event: VADEvent): VADEvent {
  if (event.type === VADEventType.INFERENCE_DONE) return event
  const copy = ({ data, sampleRate, channels, samplesPerChannel }: AudioFrame) =>
    new AudioFrame(Int16Array.from(data), sampleRate, channels, samplesPerChannel)
  return { ...event, frames: event.frames.map(copy) }
}
