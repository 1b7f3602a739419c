import type { GraphNode } from '@troupe/graph'
import { expect, test } from 'vitest'
import { stepSummary } from './step-summary.ts'

const node = (type: string, config: Record<string, unknown>): GraphNode => ({
  ...{ id: 'n', type, name: 'N', parentId: null, position: { x: 0, y: 0 }, config },
})

test('a step is summed up by the first text that was set for it, in one short line', () => {
  expect(stepSummary(node('ai-prompt', { prompt: 'Answer:\n  {{ trigger.body.text }}' }))).toBe(
    'Answer: {{ trigger.body.text }}',
  )
  expect(stepSummary(node('ai-prompt', { prompt: 'a '.repeat(200) }))?.length).toBeLessThanOrEqual(81)
})

test('a step without texts, and a step of an unknown type, have no summary', () => {
  expect(stepSummary(node('ai-prompt', {}))).toBeNull()
  expect(stepSummary(node('manual-trigger', {}))).toBeNull()
  expect(stepSummary(node('gone', {}))).toBeNull()
})

test('Markdown is summed up without its marks, and other texts keep their characters', () => {
  expect(
    stepSummary(node('note', { markdown: '## **Triage.**\n\n- Reads *every* [ticket](https://a.test)' })),
  ).toBe('Triage. Reads every ticket')
  expect(stepSummary(node('ai-prompt', { prompt: 'Answer in **one** line' }))).toBe('Answer in **one** line')
})
