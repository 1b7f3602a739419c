import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer } from '@troupe/test-kit/server'
import { expect, test } from 'vitest'
import { startTracing } from './tracing.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

test('a run arrives at the collector inside the span of its request and the trace of its caller', {
  timeout: 60_000,
}, async () => {
  const spans: Span[] = []
  const collector = createServer((request, response) => {
    let text = ''
    request.on('data', (piece) => {
      text += piece
    })
    request.on('end', () => {
      const body = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      for (const { scopeSpans } of body.resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans)
      response.end('{}')
    })
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  await using _collector = {
    async [Symbol.asyncDispose]() {
      collector.close()
      collector.closeAllConnections()
    },
  }
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  {
    await using _tracing = await startTracing({ endpoint })
    await using server = await startTestServer({ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint } })
    const { status } = await server.call(`POST /api/v1/agents/${server.seed.agents.organization}/run`, {
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
      body: { message: 'secret-prompt' },
    })
    expect(status).toBe(200)
  }
  const request = spans.find(({ name }) => name === 'POST /api/v1/agents/:agentId/run')
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const inside = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(inside.length).toBeGreaterThan(0)
  expect(JSON.stringify(spans)).not.toContain('secret-prompt')
})
