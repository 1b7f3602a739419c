import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * A chat-completions server for one GGUF model: `model-server.ts RUNTIME WEIGHTS`. It prints its port. Requests are
 * answered one after the other, without sampling, so that a run can be repeated.
 */
type HistoryItem = { type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] }
interface Usage {
  usedInputTokens: number
  usedOutputTokens: number
}
/** The part of node-llama-cpp that is used here; the package is outside the tree. */
interface Llama {
  getLlama(options: object): Promise<{ loadModel(options: object): Promise<Model> }>
  LlamaChat: new (options: {
    contextSequence: Sequence
  }) => {
    generateResponse(
      history: HistoryItem[],
      options: {
        maxTokens: number
        temperature: number
        onTextChunk(text: string): void
        signal: AbortSignal
      },
    ): Promise<{ response: string; metadata: { stopReason: string } }>
  }
}
interface Model {
  createContext(options: object): Promise<{ getSequence(): Sequence }>
}
interface Sequence {
  /** The number of tokens in the context: prompt and answer, including those that were evaluated for an earlier request. */
  readonly nextTokenIndex: number
  tokenMeter: { getState(): Usage; diff(state: Usage): Usage }
}
interface ChatBody {
  model: string
  stream?: boolean
  max_tokens?: number
  messages: { role: string; content: string | { text?: string }[] | null }[]
}

const MAX_TOKENS = 96

const [, , runtime = '', weights = ''] = process.argv
const entry = createRequire(join(runtime, 'package.json')).resolve('node-llama-cpp')
const { getLlama, LlamaChat }: Llama = await import(pathToFileURL(entry).href)
const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error', maxThreads: 2 })
const model = await llama.loadModel({ modelPath: weights })
const sequence = (await model.createContext({ contextSize: 2048 })).getSequence()
const chat = new LlamaChat({ contextSequence: sequence })

function historyOf({ messages }: ChatBody): HistoryItem[] {
  const items = messages.map(({ role, content }): HistoryItem => {
    const text =
      typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
    if (role === 'assistant') return { type: 'model', response: [text] }
    return { type: role === 'system' ? 'system' : 'user', text }
  })
  return [...items, { type: 'model', response: [] }]
}

async function readBody(request: IncomingMessage): Promise<ChatBody> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString())
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request)
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const head = { id: 'chatcmpl-1', created: Math.floor(Date.now() / 1000), model: body.model }
  const send = (choices: object[], more: object = {}) => {
    const chunk = { ...head, object: 'chat.completion.chunk', choices, ...more }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  if (body.stream) response.writeHead(200, { 'content-type': 'text/event-stream' })
  const before = sequence.tokenMeter.getState()
  const generated = await chat.generateResponse(historyOf(body), {
    maxTokens: Math.min(body.max_tokens ?? MAX_TOKENS, MAX_TOKENS),
    temperature: 0,
    signal: gone.signal,
    onTextChunk(text) {
      if (body.stream) send([{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }])
    },
  })
  const { usedInputTokens, usedOutputTokens } = sequence.tokenMeter.diff(before)
  // The meter counts the tokens that this request evaluated; the start of a continued conversation is in the context already.
  const promptTokens = Math.max(usedInputTokens, sequence.nextTokenIndex - usedOutputTokens)
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: usedOutputTokens,
    total_tokens: promptTokens + usedOutputTokens,
    prompt_tokens_details: { cached_tokens: promptTokens - usedInputTokens },
  }
  const reason = generated.metadata.stopReason === 'maxTokens' ? 'length' : 'stop'
  if (!body.stream) {
    const message = { role: 'assistant', content: generated.response }
    const choices = [{ index: 0, message, finish_reason: reason }]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
    return
  }
  send([{ index: 0, delta: {}, finish_reason: reason }])
  send([], { usage })
  response.end('data: [DONE]\n\n')
}

let last: Promise<void> = Promise.resolve()
const server = createServer((request, response) => {
  last = last
    .then(() => answer(request, response))
    .catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`)
      response.destroy()
    })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
