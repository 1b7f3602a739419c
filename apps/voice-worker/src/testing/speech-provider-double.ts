import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { tone } from './tone.ts'

/** The PCM rate of OpenAI's protocol. */
const RATE = 24_000
const MS_PER_CHARACTER = 40

/** A speech server with OpenAI's protocol: its transcripts are set by the test, and it speaks a tone as long as the text. */
export interface SpeechProviderDouble extends AsyncDisposable {
  baseUrl: string
  /** Its next transcript; empty: nothing. */
  hears: string
  /** Requests for a transcript: their fields, without the audio. */
  transcriptions: Record<string, string>[]
  /** Requests for speech. */
  speeches: Record<string, unknown>[]
  /** The number of speech requests that succeed; later ones are 500. */
  speaks: number
  /** Whether it accepts requests and never responds. */
  hangs: boolean
  /** Stops listening at its address. */
  kill(): Promise<void>
}

export async function startSpeechProviderDouble(): Promise<SpeechProviderDouble> {
  const double: Omit<SpeechProviderDouble, 'baseUrl' | 'kill' | keyof AsyncDisposable> = {
    hears: '',
    speaks: Number.POSITIVE_INFINITY,
    hangs: false,
    transcriptions: [],
    speeches: [],
  }
  const server = createServer(async (request, response) => {
    const authorization = request.headers.authorization ?? ''
    if (request.url === '/v1/audio/transcriptions') {
      double.transcriptions.push({ ...fieldsOf(await buffer(request), request), authorization })
      if (double.hangs) return
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ text: double.hears }))
    }
    const body = JSON.parse(await text(request))
    double.speeches.push({ ...body, authorization })
    if (double.hangs) return
    if (double.speeches.length > double.speaks) return void response.writeHead(500).end()
    response.writeHead(200, { 'content-type': 'audio/pcm' })
    response.end(tone(body.input.length * MS_PER_CHARACTER, RATE))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  const kill = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
  return Object.assign(double, { baseUrl: `http://127.0.0.1:${port}/v1`, kill, [Symbol.asyncDispose]: kill })
}

/** The text fields of a multipart body. */
function fieldsOf(body: Buffer, request: IncomingMessage): Record<string, string> {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1] ?? ''
  const parts = body.toString('latin1').split(`--${boundary}`)
  return Object.fromEntries(
    parts.flatMap((part) => {
      const [, name, value] = /name="(\w+)"\r\n\r\n(.*)\r\n$/s.exec(part) ?? []
      return name === undefined ? [] : [[name, value ?? '']]
    }),
  )
}
