import { expect, test } from 'vitest'
import {
  contextUse,
  historyEnd,
  historyLimit,
  promptShares,
  requestTokens,
  settingOfPart,
} from './prompt-shares.ts'

const PROMPT = {
  system: 'Help.\n\nYour name is Ö.',
  messages: [
    { role: 'user' as const, content: 'Hi' },
    { role: 'assistant' as const, content: 'Hello' },
    { role: 'user' as const, content: 'passages\nWhere?' },
  ],
  tools: [],
  toolChoice: null,
  responseSchema: null,
  model: { llmConfigId: 'c', modelId: 'm' },
  estimatedTokens: 12,
  parts: [
    { from: 'instructions', message: null, start: 0, end: 5 },
    { from: 'prompt.add_agent_name', message: null, start: 7, end: 22 },
    { from: 'memory.history', message: 0, start: 0, end: 2 },
    { from: 'memory.history', message: 1, start: 0, end: 5 },
    { from: 'knowledge', message: 2, start: 0, end: 9 },
    { from: 'message', message: 2, start: 9, end: 15 },
  ],
}

test('each part has its text, and an estimate of its tokens', () => {
  const shares = promptShares(PROMPT)
  expect(shares.map(({ text }) => text)).toEqual([
    'Help.',
    'Your name is Ö.',
    'Hi',
    'Hello',
    'passages\n',
    'Where?',
  ])
  expect(contextUse({ ...PROMPT, estimatedTokens: 15 })).toEqual([
    { from: 'instructions', tokens: 2 },
    { from: 'prompt.add_agent_name', tokens: 5 },
    { from: 'memory.history', tokens: 3 },
    { from: 'knowledge', tokens: 3 },
    { from: 'message', tokens: 2 },
  ])
})

test('tools, the answer format and the request frame are the remainder after the texts', () => {
  const tool = { name: 'calculator', description: 'Adds.', inputSchema: { type: 'object' } }
  const prompt = { ...PROMPT, tools: [tool], responseSchema: { type: 'object' }, estimatedTokens: 100 }
  expect(requestTokens(prompt)).toEqual({ tools: 22, schema: 5, frame: 58 })
  const use = contextUse(prompt)
  expect(use.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(100)
  expect(use.slice(0, 3).map(({ from }) => from)).toEqual(['tools', 'schema', 'frame'])
  expect(requestTokens({ ...PROMPT, estimatedTokens: 3 }).frame).toBe(0)
})

test('a part links to its setting, the message to none', () => {
  expect(['instructions', 'memory.summary', 'knowledge', 'message'].map(settingOfPart)).toEqual([
    'instructions',
    'memory.summary.enabled',
    'knowledge.base_ids',
    null,
  ])
})

test('the limit of earlier messages is after the parts before them, and never beyond the bar', () => {
  const use = [
    { from: 'instructions', tokens: 100 },
    { from: 'memory.history', tokens: 30 },
    { from: 'message', tokens: 5 },
  ]
  expect(historyEnd(use, 50, 1_000)).toBe(0.15)
  expect(historyEnd(use, 5_000, 1_000)).toBe(1)
})

test('earlier messages have a limit only where the agent reads them', () => {
  const config = (history: object) => ({ memory: { history } })
  expect(historyLimit(config({ enabled: true, max_tokens: 4_000 }))).toBe(4_000)
  expect(historyLimit(config({ enabled: true, max_tokens: null }))).toBeNull()
  expect(historyLimit(config({ enabled: false, max_tokens: 4_000 }))).toBeNull()
  expect(historyLimit({})).toBeNull()
})
