import { isBlank } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenChain } from '../ports/chat-models.ts'
import { scriptedModels } from '../testing/scripted-model.ts'
import { callModel } from './call-model.ts'

const open = {
  chain: { targets: [{ connection: { llmConfigId: 'c' }, modelId: 'm' }] },
  observer: { onAttempt() {}, onFailover() {}, onReset() {} },
} as unknown as OpenChain

async function deltasOf(parts: string[]): Promise<string[]> {
  const deltas: string[] = []
  const model = scriptedModels(...parts.map((text) => ({ text }))).open(open)
  const sink = { text: (delta: string) => deltas.push(delta), reasoning() {} }
  await callModel(model, { prompt: [], abortSignal: new AbortController().signal }, sink)
  return deltas
}

test('wherever a provider splits its text, every delta is whole and nothing is lost', async () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(40)), async (whole, cuts) => {
      const at = [0, ...cuts.map((cut) => cut % whole.length).sort((a, b) => a - b), whole.length]
      const parts = at.slice(1).map((to, index) => whole.slice(at[index], to))
      const deltas = await deltasOf(parts)
      // An answer of only white space counts as empty.
      expect(deltas.join('')).toBe(isBlank(whole) ? '' : whole.replaceAll('\0', ''))
      for (const delta of deltas) expect(delta.isWellFormed()).toBe(true)
    }),
  )
})

test('half a character at the very end becomes the replacement character', async () => {
  expect((await deltasOf(['a', '\ud83d'])).join('')).toBe('a\ufffd')
})
