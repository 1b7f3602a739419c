import { randomUUID } from 'node:crypto'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { PGlite } from '@electric-sql/pglite'
import { generateText, streamText } from 'ai'
import Fastify from 'fastify'
import pg from 'pg'

/**
 * The floor: a handwritten server. `/plain` calls the AI SDK, `/recorded` adds one insert before and one
 * update after, `/stream` forwards the text deltas as server-sent events.
 *
 * Arguments: port, model base URL, `postgres:<url>` or `pglite:<folder>`.
 */
const [port, modelUrl = '', storage = ''] = process.argv.slice(2)

type Query = (name: string, text: string, values: unknown[]) => Promise<unknown>

async function openStorage(): Promise<Query> {
  const table =
    'CREATE TABLE IF NOT EXISTS bare_runs (id uuid PRIMARY KEY, status text, input text, output text, ' +
    'input_tokens int, output_tokens int, created_at timestamptz DEFAULT now(), completed_at timestamptz)'
  if (storage.startsWith('postgres:')) {
    const pool = new pg.Pool({ connectionString: storage.slice('postgres:'.length), max: 10 })
    await pool.query(table)
    return (name, text, values) => pool.query({ name, text, values })
  }
  const pglite = await PGlite.create(storage.slice('pglite:'.length))
  await pglite.exec(table)
  return (_name, text, values) => pglite.query(text, values)
}

const query = await openStorage()
const provider = createOpenAICompatible({
  name: 'bench',
  baseURL: modelUrl,
  apiKey: 'bench',
  includeUsage: true,
})
const model = provider('bench-model')
const app = Fastify()

async function answer(prompt: string) {
  const { text, usage } = await generateText({ model, prompt, maxRetries: 0 })
  return { text, usage }
}

app.post<{ Body: { message: string } }>('/plain', async (request) => {
  const { text, usage } = await answer(request.body.message)
  return { content: text, usage }
})

app.post<{ Body: { message: string } }>('/recorded', async (request) => {
  const id = randomUUID()
  await query('insert', "INSERT INTO bare_runs (id, status, input) VALUES ($1, 'running', $2)", [
    id,
    request.body.message,
  ])
  const { text, usage } = await answer(request.body.message)
  await query(
    'update',
    "UPDATE bare_runs SET status = 'completed', output = $2, input_tokens = $3, output_tokens = $4, " +
      'completed_at = now() WHERE id = $1',
    [id, text, usage.inputTokens, usage.outputTokens],
  )
  return { runId: id, content: text, usage }
})

app.post<{ Body: { message: string } }>('/stream', async (request, reply) => {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
  const { textStream } = streamText({ model, prompt: request.body.message, maxRetries: 0 })
  for await (const delta of textStream) {
    reply.raw.write(`event: RunContent\ndata: ${JSON.stringify({ delta })}\n\n`)
  }
  reply.raw.end()
})

app.get('/ready', async () => ({ ok: true }))
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
