import type { TeamCallPreview } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { comparePrompts, promptText } from './compare-prompts.ts'

const call = (key: string, patch: Partial<TeamCallPreview> = {}): TeamCallPreview => ({
  key,
  who: { role: 'lead', agentId: null, name: 'Desk' },
  when: 'First.',
  dependsOn: [],
  system: `You are ${key}.`,
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [],
  toolChoice: null,
  responseSchema: null,
  model: { llmConfigId: '00000000-0000-4000-8000-000000000001', modelId: 'm' },
  estimatedTokens: 10,
  ...patch,
})

test('calls are compared by their step, with the tokens that they cost', () => {
  const before = [call('route:0'), call('member:m1:0')]
  const after = [call('route:0', { system: 'Other.', estimatedTokens: 14 }), call('member:m1:0')]
  expect(comparePrompts(before, after).map(({ key, kind, tokens }) => ({ key, kind, tokens }))).toEqual([
    { key: 'route:0', kind: 'changed', tokens: 4 },
    { key: 'member:m1:0', kind: 'same', tokens: 0 },
  ])
})

test('a call on one side only is shown at its position', () => {
  const [broadcast, member, synthesis] = [call('broadcast'), call('member:m1:0'), call('synthesis')]
  const off = comparePrompts([member, synthesis], [broadcast, member, synthesis])
  expect(off.map(({ key, kind }) => `${key} ${kind}`)).toEqual([
    'broadcast added',
    'member:m1:0 same',
    'synthesis same',
  ])
  const on = comparePrompts([broadcast, member, synthesis], [member, synthesis])
  expect(on.map(({ key, kind }) => `${key} ${kind}`)).toEqual([
    'broadcast removed',
    'member:m1:0 same',
    'synthesis same',
  ])
  expect(on[0]?.tokens).toBe(-10)
})

test('the text of a call has everything that the model gets', () => {
  const text = promptText(
    call('route:0', {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', toolCalls: [{ name: 'delegate', arguments: { member: 'm1' } }] },
        { role: 'tool', content: 'Done' },
      ],
      tools: [{ name: 'route', description: 'Hands over.', inputSchema: { type: 'object' } }],
      toolChoice: 'route',
      responseSchema: { type: 'string' },
    }),
  )
  for (const part of [
    'You are route:0.',
    'Hi',
    '{"member":"m1"}',
    'Done',
    'route: Hands over.',
    '"string"',
  ]) {
    expect(text).toContain(part)
  }
})
