import { describe, expect, it } from 'vitest'
import { createSandboxEmbeddingModel } from './embedding-model.ts'

const cosine = (a: number[] = [], b: number[] = []) =>
  a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

describe('sandbox-embed-1', () => {
  const embed = async (...values: string[]) =>
    (await createSandboxEmbeddingModel().doEmbed({ values })).embeddings

  it('gives normalised vectors of 256 dimensions, the same for the same words', async () => {
    const [a, b] = await embed('Refund of an invoice', 'an INVOICE, of refund!')
    expect(a).toHaveLength(256)
    expect(cosine(a, a)).toBeCloseTo(1)
    expect(cosine(a, b)).toBeCloseTo(1)
  })

  it('puts a text with shared words nearer than one without', async () => {
    const [question, near, far] = await embed(
      'how long does a refund take',
      'a refund take three days',
      'the office plants want water',
    )
    expect(cosine(question, near)).toBeGreaterThan(cosine(question, far) + 0.3)
  })

  it('gives a text without words a unit vector', async () => {
    const [vector] = await embed('…')
    expect(cosine(vector, vector)).toBe(1)
  })

  it('counts words as tokens', async () => {
    const { usage } = await createSandboxEmbeddingModel().doEmbed({ values: ['one two', 'three'] })
    expect(usage).toEqual({ tokens: 3 })
  })
})
