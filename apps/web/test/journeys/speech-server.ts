import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The only key that the speech server accepts. */
export const SPEECH_KEY = 'key-of-the-speech-server'
const RATE = 24_000

/** Text to speech as OpenAI serves it. */
export interface SpeechServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/v1`. */
  url: string
  /** The requests, oldest first. */
  requests: { headers: IncomingHttpHeaders; body: unknown }[]
}

/** Starts a speech server that is silent for half a second, and responds with 401 to any other key. */
export async function startSpeechServer(): Promise<SpeechServer> {
  const requests: SpeechServer['requests'] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    requests.push({ headers: request.headers, body: JSON.parse(Buffer.concat(parts).toString()) })
    if (request.headers.authorization === `Bearer ${SPEECH_KEY}`) response.writeHead(200).end(silence())
    else response.writeHead(401).end(JSON.stringify({ error: { message: 'Incorrect API key provided.' } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Half a second of silence as a WAV file: one channel, 16 bits. */
function silence(): Buffer {
  const header = Buffer.alloc(44)
  const bytes = RATE
  header.write('RIFF')
  header.writeUInt32LE(36 + bytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(RATE, 24)
  header.writeUInt32LE(RATE * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(bytes, 40)
  return Buffer.concat([header, Buffer.alloc(bytes)])
}
