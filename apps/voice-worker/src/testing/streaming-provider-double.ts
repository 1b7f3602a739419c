import { once } from 'node:events'
import { createServer } from 'node:http'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { tone } from './tone.ts'

/** Of 16 bits; the caller of a test is silent to the last bit between its sentences. */
const LOUD = 200
/** Of silence after which an utterance has ended, in bytes of 16 kHz. */
const QUIET_BYTES = 16_000 * 2 * 0.3
/** What Deepgram speaks by default. */
const SPOKEN_RATE = 24_000
const MS_PER_CHARACTER = 40

/** A speech server with Deepgram's streams: it hears what the test says while the caller speaks, and speaks a tone as long as the text. */
export interface StreamingProviderDouble extends AsyncDisposable {
  baseUrl: string
  /** What it hears at the end of each utterance. */
  hears: string
  /** Utterances that it has heard. */
  utterances: number
  /** What it was asked to speak. */
  spoken: string[]
  /** Texts that it speaks; at the next one it sends half of the sound and is gone. */
  speaks: number
  /** Whether it stays, and says nothing more, instead of being gone. */
  stalls: boolean
  /** Closes the connections of its listeners in order, as a provider does that restarts; new ones are taken. */
  closeListeners(): void
  /** From now on nothing listens at its address, and what was open is cut. */
  kill(): Promise<void>
}

export async function startStreamingProviderDouble(): Promise<StreamingProviderDouble> {
  const state: Pick<StreamingProviderDouble, 'hears' | 'utterances' | 'spoken' | 'speaks' | 'stalls'> = {
    hears: '',
    utterances: 0,
    spoken: [],
    speaks: Number.POSITIVE_INFINITY,
    stalls: false,
  }
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const listeners = new Set<WebSocket>()
  sockets.on('connection', (socket, { url = '' }) => {
    if (url.startsWith('/v1/listen')) {
      listeners.add(socket)
      listen(socket, state)
    } else speak(socket, state, () => void kill())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  const kill = async () => {
    if (!server.listening) return
    for (const socket of sockets.clients) socket.terminate()
    await once(server.close(), 'close')
  }
  const closeListeners = () => {
    for (const socket of listeners) socket.close(1_000)
    listeners.clear()
  }
  const baseUrl = `ws://127.0.0.1:${port}`
  return Object.assign(state, { baseUrl, closeListeners, kill, [Symbol.asyncDispose]: kill })
}

function listen(socket: WebSocket, state: Pick<StreamingProviderDouble, 'hears' | 'utterances'>): void {
  let isSpeaking = false
  let quietBytes = 0
  const tell = (message: object) => socket.send(JSON.stringify(message))
  const end = () => {
    isSpeaking = false
    quietBytes = 0
    state.utterances += 1
    const alternative = { transcript: state.hears, confidence: 1, words: [] }
    tell({
      ...{ type: 'Results', is_final: true, speech_final: true },
      ...{ metadata: { request_id: 'double' }, channel: { alternatives: [alternative] } },
    })
  }
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (!isBinary) return
    const bytes = asBuffer(data)
    if (isLoud(bytes)) {
      if (!isSpeaking) tell({ type: 'SpeechStarted' })
      isSpeaking = true
      quietBytes = 0
    } else if (isSpeaking) {
      quietBytes += bytes.byteLength
      if (quietBytes >= QUIET_BYTES) end()
    }
  })
}

function speak(
  socket: WebSocket,
  state: Pick<StreamingProviderDouble, 'spoken' | 'speaks' | 'stalls'>,
  kill: () => void,
): void {
  let isStalled = false
  socket.on('message', (data: RawData) => {
    if (isStalled) return
    const message: { type: string; text?: string } = JSON.parse(asBuffer(data).toString())
    if (message.type === 'Speak' && message.text !== undefined) {
      state.spoken.push(message.text)
      const sound = tone(message.text.length * MS_PER_CHARACTER, SPOKEN_RATE)
      if (state.spoken.length <= state.speaks) socket.send(sound)
      else {
        isStalled = state.stalls
        socket.send(sound.subarray(0, (sound.byteLength / 4) * 2), isStalled ? undefined : kill)
      }
    }
    if (message.type === 'Flush') socket.send(JSON.stringify({ type: 'Flushed' }))
    if (message.type === 'Close') socket.close()
  })
}

function asBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}

function isLoud(pcm: Buffer): boolean {
  for (let at = 0; at + 1 < pcm.byteLength; at += 2) if (Math.abs(pcm.readInt16LE(at)) > LOUD) return true
  return false
}
