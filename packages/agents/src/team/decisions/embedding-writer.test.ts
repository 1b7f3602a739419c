import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceOf } from '../../run/acting-agent.ts'
import { answerOf } from '../../testing/run-kit.ts'
import { testActor, testContext } from '../../testing/test-context.ts'
import { EmbeddingWriter } from './embedding-writer.ts'

const RESULTS: Record<string, string> = {
  call_0_0: '| a | b |\n|---|---|\n| 1 | 2 |',
  call_0_1: 'one line',
  call_1_0: '[[result:call_0_0]]\n[[',
  call_1_1: '\n\n',
}
const resultOf = (id: string) => RESULTS[id] ?? null

function write(deltas: readonly string[]) {
  const ctx = testContext({})
  const writer = new EmbeddingWriter(ctx.output, sourceOf(testActor()), 'answer', resultOf)
  const shownAfter: string[] = []
  for (const delta of deltas) {
    writer.append(delta)
    shownAfter.push(ctx.output.answer.text)
  }
  writer.finish()
  return { ctx, writer, shownAfter }
}

/** The expected output, line by line. */
function embedded(text: string): string {
  let isInCode = false
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const ending = at === lines.length - 1 ? '' : '\n'
      const id = /^[ \t]*\[\[result:([^\]\n]{1,100})\]\][ \t]*$/.exec(line)?.[1]?.trim()
      const result = id === undefined ? null : resultOf(id)
      const isLeftOut = id !== undefined && result === null && !isInCode
      if (/^[ \t]*(```|~~~)/.test(line)) isInCode = !isInCode
      return isLeftOut ? '' : (result ?? line) + ending
    })
    .join('')
}

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...Object.keys(RESULTS).map((id) => `[[result:${id}]]`)) },
  { weight: 4, arbitrary: fc.constant('\n') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('[', '[[', ']]', '[[result:', '[[result:call_9_9]]', ' ', '\t', '```'),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
)

test('however a text is split into deltas, its references become the exact results and nothing else changes', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), fc.array(fc.nat(200)), (pieces, cuts) => {
      const text = pieces.join('')
      const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
      const { ctx, writer } = write(at.slice(1).map((to, index) => text.slice(at[index], to)))
      expect(writer.text).toBe(embedded(text))
      expect(ctx.output.answer.text).toBe(writer.text)
      expect(answerOf(ctx.shown)).toBe(writer.text)
    }),
    { numRuns: 500 },
  )
})

test('text is held back only while its line may still be a reference', () => {
  const { shownAfter } = write(['A', 'da\n', '[', '[res', 'ult]', '\n[', 'x', '[['])
  expect(shownAfter).toEqual([
    'A',
    'Ada\n',
    'Ada\n',
    'Ada\n',
    'Ada\n',
    'Ada\n[[result]\n',
    'Ada\n[[result]\n[x',
    'Ada\n[[result]\n[x[[',
  ])
})

test('a very long line that starts with brackets is not held back forever', () => {
  const { shownAfter } = write(['[[', 'x'.repeat(300)])
  expect(shownAfter).toEqual(['', `[[${'x'.repeat(300)}`])
})

test.each([
  ['A\n[[result:call_9_9]]\nB', 'A\nB', 1],
  ['A\n [[result: call_9_9 ]] \n[[result:Nobody]]', 'A\n', 2],
  ['[[result:call_9_9]]', '', 1],
  ['In [[result:call_9_9]] line', 'In [[result:call_9_9]] line', 0],
  ['```\n[[result:call_9_9]]\n```\n[[result:call_9_9]]\nB', '```\n[[result:call_9_9]]\n```\nB', 1],
])('in %j references to nothing are omitted and noted in the trace', (text, expected, notes) => {
  const { ctx, writer } = write([text])
  expect(writer.text).toBe(expected)
  const told = ctx.shown.filter((event) => event.event === 'RunContent' && event.channel === 'trace')
  expect(told).toHaveLength(notes)
})

test('before anything was reported, only ids are references', () => {
  const ctx = testContext({})
  const writer = new EmbeddingWriter(ctx.output, sourceOf(testActor()), 'answer', resultOf, () => false)
  writer.append('[[result:yours]]\n[[result:call_9_9]]\n')
  writer.finish()
  expect(writer.text).toBe('[[result:yours]]\n')
})

test('a reset discards the held-back text', () => {
  const ctx = testContext({})
  const writer = new EmbeddingWriter(ctx.output, sourceOf(testActor()), 'answer', resultOf)
  writer.append('torn\n[[result:')
  writer.reset('failover')
  writer.append('call_0_1]]\n[[result:call_0_1]]')
  writer.finish()
  expect(ctx.output.answer.text).toBe('call_0_1]]\none line')
  expect(answerOf(ctx.shown)).toBe(ctx.output.answer.text)
})
