import { once } from 'node:events'
import { createServer } from 'node:http'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { tone } from './tone.ts'

/** 16 bits each; a test's caller sends only zeros between sentences. */
const LOUD = 200
/** The silence that ends an utterance, in bytes of 16 kHz. */
const QUIET_BYTES = 16_000 * 2 * 0.3
/** Deepgram's default rate. */
const SPOKEN_RATE = 24_000
const MS_PER_CHARACTER = 40

/** A speech server with Deepgram's streams: its transcripts are set by the test, and it speaks a tone as long as the text. */
export interface StreamingProviderDouble extends AsyncDisposable {
  baseUrl: string
  /** Its transcript for each utterance. */
  hears: string
  /** The number of received utterances. */
  utterances: number
  /** The texts to speak, as received. */
  spoken: string[]
  /** The number of texts spoken completely; for the next one it sends half of the audio and disconnects. */
  speaks: number
  /** Whether it then keeps the connection silently instead of disconnecting. */
  stalls: boolean
  /** Closes the speech to text connections normally, as a restarting provider does; new ones are accepted. */
  closeListeners(): void
  /** Stops listening at its address, and cuts open connections. */
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
