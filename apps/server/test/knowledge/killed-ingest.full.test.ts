import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KnowledgeBase, KnowledgeDocument } from '@troupe/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Program, startProgram } from '../crash/program.ts'

const KEY = `killed-${randomUUID()}`
const BASE = randomUUID()
const PASSAGES = 150
const PATIENT = { timeout: 60_000, interval: 50 }

/** Separate passages under separate headings, too long to share one. */
const TEXT = Array.from({ length: PASSAGES }, (_, n) => `# P${n}\n\n${`word${n} `.repeat(12)}`).join('\n\n')

const bundle = (modelUrl: string) => ({
  apiVersion: 'troupe/v1',
  organizations: [
    {
      slug: 'acme',
      name: 'Acme',
      apiKeys: [{ name: 'k', secret: KEY }],
      llmConfigurations: [
        {
          slug: 'main',
          name: 'Main',
          providerId: 'openai-compatible',
          baseUrl: modelUrl,
          models: [{ modelId: 'emb-1' }],
        },
      ],
      knowledgeBases: [
        {
          slug: 'handbook',
          name: 'Handbook',
          id: BASE,
          embedding: { llm_config: 'main', model_id: 'emb-1' },
          chunk_tokens: 50,
          overlap_tokens: 0,
          documents: [{ name: 'handbook.md', text: TEXT }],
        },
      ],
    },
  ],
})

let folder: string
let model: Server
/** The passages of each request, oldest first. */
const asked: string[][] = []
/** Called for every request before its response; a promise delays the response. */
let onRequest: () => Promise<void> = async () => {}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-killed-ingest-'))
  model = createServer(async (request, response) => {
    const { input } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { input: string[] }
    asked.push(input)
    await onRequest()
    const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1, 0] }))
    const body = { object: 'list', model: 'emb-1', data, usage: { prompt_tokens: 1, total_tokens: 1 } }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
  await writeFile(join(folder, 'bundle.json'), JSON.stringify(bundle(url)))
})
afterAll(async () => {
  model.closeAllConnections()
  model.close()
  await rm(folder, { recursive: true, force: true })
})

const start = () =>
  startProgram(folder, {
    TROUPE_BUNDLE: join(folder, 'bundle.json'),
    TROUPE_ALLOWED_NETWORKS: 'loopback',
  })

async function get<T>({ origin }: Program, path: string): Promise<T> {
  const response = await fetch(`${origin}/api/v1/knowledge-bases/${BASE}${path}`, {
    headers: { 'x-api-key': KEY },
  })
  return (await response.json()) as T
}

test('a document whose process is killed repeatedly is ingested completely: each passage once, none embedded twice', {
  timeout: 240_000,
}, async () => {
  const answered: string[] = []
  for (const kill of [1, 2]) {
    // The request after the answered ones hangs: all answered ones are stored by then.
    const before = asked.length
    const hangs = Promise.withResolvers<void>()
    onRequest = async () => {
      if (asked.length === before + kill) {
        hangs.resolve()
        await new Promise(() => {})
      }
    }
    await using program = await start()
    await hangs.promise
    expect(await get(program, '/documents')).toMatchObject({ data: [{ status: 'queued', chunks: 0 }] })
    expect(await program.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    answered.push(...asked.slice(before, -1).flat())
  }
  const before = asked.length
  onRequest = async () => {}
  await using program = await start()
  await expect
    .poll(() => get(program, '/documents'), PATIENT)
    .toMatchObject({ data: [{ status: 'ready', chunks: PASSAGES, error: null }] })
  answered.push(...asked.slice(before).flat())
  expect(answered).toHaveLength(PASSAGES)
  expect(new Set(answered).size).toBe(PASSAGES)
  expect(await get<KnowledgeBase>(program, '')).toMatchObject({ chunks: PASSAGES })

  // The boot has applied the bundle again, and the API gets the same content: nothing is embedded.
  const total = asked.length
  const again = await fetch(`${program.origin}/api/v1/knowledge-bases/${BASE}/documents`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'again.md', text: TEXT }),
  })
  expect([again.status, ((await again.json()) as KnowledgeDocument).status]).toEqual([200, 'ready'])
  expect(asked).toHaveLength(total)
})
