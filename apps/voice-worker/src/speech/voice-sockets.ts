import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import type { tts } from '@livekit/agents'

/** Requests whose connections are open. A WebSocket begins with a request, and keeps its connection. */
type Requests = Set<ClientRequest>

/** Time for a plugin to close a connection by itself, with the messages of its provider. */
const GRACE_MS = 1_000

/** The plugins do not expose their connections: the async context identifies those of a voice or an answer. */
const beginning = new AsyncLocalStorage<readonly Requests[]>()
subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest }
  for (const requests of beginning.getStore() ?? []) {
    requests.add(request)
    request.once('socket', (socket) => socket.once('close', () => requests.delete(request)))
  }
})

const ofVoices = new WeakMap<tts.TTS, Requests>()

function cut(requests: Requests): void {
  for (const request of requests) {
    request.destroy()
    // The request of a WebSocket has ended, but not its connection.
    request.socket?.destroy()
  }
}

/**
 * Closes the connections of a streaming text to speech that its plugin would leave open: all connections of a failed
 * voice, and, if each answer has its own, that of a closed answer. Deepgram's plugin reads until its provider has
 * finished, so an endless response would keep the connection. Changes `voice` and returns it.
 */
export function ownSockets(voice: tts.TTS, { isOnePerAnswer }: { isOnePerAnswer: boolean }): tts.TTS {
  const open = voice.stream.bind(voice)
  const all: Requests = new Set()
  ofVoices.set(voice, all)
  voice.stream = (options) => {
    const own: Requests = new Set()
    const stream = beginning.run([all, own], () => open(options))
    if (!isOnePerAnswer) return stream
    const close = stream.close.bind(stream)
    stream.close = () => {
      close()
      setTimeout(cut, GRACE_MS, own).unref()
    }
    return stream
  }
  return voice
}

/** Closes the connections of a voice that has failed. Its next answer opens a new one. */
export function cutSockets(voice: tts.TTS): void {
  const requests = ofVoices.get(voice)
  if (requests) setTimeout(cut, GRACE_MS, new Set(requests)).unref()
}
