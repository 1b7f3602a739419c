import { afterEach, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from './server.ts'

describe('the model server', () => {
  let server: ModelServer
  afterEach(() => server.close())

  const chat = (body: object, init: RequestInit = {}) =>
    fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', messages: [], ...body }),
      ...init,
    })

  it('answers a fixed text with usage 10/5 by default', async () => {
    server = await startModelServer()
    const answer = await (await chat({})).json()
    expect(answer).toMatchObject({ usage: { prompt_tokens: 10, completion_tokens: 5 } })
    const stream = await (await chat({ stream: true, stream_options: { include_usage: true } })).text()
    expect(stream).toContain('"content":"Hello from the model server."')
    expect(stream).toContain('"prompt_tokens":10')
    expect(stream.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('streams usage only to those who ask for it', async () => {
    server = await startModelServer()
    server.script('scripted')
    expect(await (await chat({ stream: true })).text()).not.toContain('usage')
    expect(await (await chat({ stream: true })).text()).not.toContain('usage')
  })

  it('plays the script in order, then asks the responder, then answers the default', async () => {
    server = await startModelServer()
    server.script('first', { status: 429, headers: { 'retry-after': '3' } })
    server.respond((request) => (request.body.model === 'special' ? 'for you' : undefined))
    expect(await (await chat({})).text()).toContain('first')
    const limited = await chat({})
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '3'])
    expect(await (await chat({ model: 'special' })).text()).toContain('for you')
    expect(await (await chat({})).text()).toContain('Hello from')
    expect(server.requests.map((request) => request.path)).toEqual(Array(4).fill('/v1/chat/completions'))
  })

  it('records that the client disconnects before the end of the answer', async () => {
    server = await startModelServer()
    server.script({ hang: 'stream', text: 'x' })
    const controller = new AbortController()
    const response = await chat({ stream: true }, { signal: controller.signal })
    const before = Date.now()
    controller.abort()
    await response.text().catch(() => {})
    expect(await server.requests[0]?.aborted).toBeGreaterThanOrEqual(before)
  })

  it('does not mistake a socket that it destroys itself for a disconnected client', async () => {
    server = await startModelServer()
    server.script({ text: 'one two', chunks: 2, breakAfter: 1 })
    const response = await chat({ stream: true })
    await expect(response.text()).rejects.toThrow()
    await chat({})
    expect(server.requests[0]?.abortedAt).toBeNull()
  })

  it('lists models and embeds texts', async () => {
    server = await startModelServer({ models: ['a', 'b'] })
    const list = (await (await fetch(`${server.url}/models`)).json()) as { data: { id: string }[] }
    expect(list.data.map(({ id }) => id)).toEqual(['a', 'b'])
    const body = JSON.stringify({ model: 'e', input: ['x', 'yy'] })
    const embedded = await (await fetch(`${server.url}/embeddings`, { method: 'POST', body })).json()
    expect(embedded).toMatchObject({ data: [{ index: 0 }, { index: 1 }] })
  })

  it('stops, even while an answer hangs', async () => {
    server = await startModelServer()
    server.script({ hang: 'headers' })
    const hanging = chat({}).catch(() => 'closed')
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await server.close()
    expect(await hanging).toBe('closed')
  })
})
