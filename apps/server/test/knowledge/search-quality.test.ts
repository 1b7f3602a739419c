import { readFileSync } from 'node:fs'
import type { KnowledgeBase } from '@troupe/contract'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATALOGUE, HANDBOOK, type LabelledSet } from './labelled-questions.ts'

const PATH = '/api/v1/knowledge-bases'
const TOP = 5
/** Equal ranks are ordered by the ids of passages, which are random. */
const TIES = 0.08

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function baseWith(documents: LabelledSet['documents'], isEmbedded: boolean): Promise<string> {
  const embedding = { llm_config_id: server.seed.llm.organization, model_id: 'sandbox-embed-1' }
  const { body } = await server.call(`POST ${PATH}`, {
    body: { name: 'Labelled', ...(isEmbedded && { embedding }) },
  })
  const { knowledgeBaseId } = body as KnowledgeBase
  for (const document of documents) {
    expect((await server.call(`POST ${PATH}/${knowledgeBaseId}/documents`, { body: document })).status).toBe(
      202,
    )
  }
  await server.context.knowledge.ingest.work()
  const { body: read } = await server.call(`GET ${PATH}/${knowledgeBaseId}`)
  expect(read).toMatchObject({ documents: { ready: documents.length } })
  return knowledgeBaseId
}

/** The ranks of the answers among the found passages; missing ones are omitted. */
async function placesOf(questions: LabelledSet['questions'], baseId: string): Promise<number[]> {
  const places: number[] = []
  for (const { question, answer } of questions) {
    const { body } = await server.call(`POST ${PATH}/search`, {
      body: { base_ids: [baseId], query: question, top_k: TOP },
    })
    const { data } = body as { data: { text: string }[] }
    const place = data.findIndex(({ text }) => text.replaceAll('\n', ' ').includes(answer))
    if (place >= 0) places.push(place + 1)
  }
  return places
}

function row(name: string, questions: number, places: readonly number[]): string {
  const share = (value: number) => (value / questions).toFixed(2)
  const first = places.filter((place) => place === 1).length
  const reciprocal = places.reduce((sum, place) => sum + 1 / place, 0)
  return `| ${name} | ${questions} | ${share(first)} | ${share(places.length)} | ${share(reciprocal)} |`
}

const nameOf = (row: string) => row.split('|', 2).join('|')
const figuresOf = (row: string) => row.split('|').slice(3, -1).map(Number)

test('the answers of labelled questions are found with the figures of the guide', async () => {
  const rows: string[] = []
  const documents = [...HANDBOOK.documents, ...CATALOGUE.documents]
  for (const isEmbedded of [false, true]) {
    const baseId = await baseWith(documents, isEmbedded)
    for (const [set, { questions }] of Object.entries({ handbook: HANDBOOK, catalogue: CATALOGUE })) {
      const places = await placesOf(questions, baseId)
      rows.push(row(`${set}, ${isEmbedded ? 'words and vectors' : 'words'}`, questions.length, places))
      expect(places.length / questions.length).toBeGreaterThanOrEqual(0.95)
    }
  }
  console.log(rows.join('\n'))
  const guide = readFileSync(new URL('../../../../docs/guides/knowledge.md', import.meta.url), 'utf8')
  const published = rows.map((one) => guide.split('\n').find((line) => line.startsWith(nameOf(one))) ?? '')
  for (const [at, one] of rows.entries()) {
    const [figures, measured] = [figuresOf(published[at] ?? ''), figuresOf(one)]
    expect(figures).toHaveLength(measured.length)
    for (const [n, figure] of figures.entries()) {
      expect(Math.abs(figure - (measured[n] ?? 0)), `${one} instead of ${published[at]}`).toBeLessThan(TIES)
    }
  }
}, 120_000)
