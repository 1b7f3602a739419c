import type { AgentRunDetail, TeamCallPreview } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { hasPreview, previewOfCall } from './preview-of-call.ts'

type Call = AgentRunDetail['calls'][number]
const call = (purpose: string, agentId: string | null = null): Call => ({
  ...{ purpose, memberRunId: agentId === null ? null : 'run', agentId, agentName: null, llmConfigId: 'c' },
  ...{
    llmConfigName: 'C',
    modelId: 'small',
    attempt: 1,
    isFallback: false,
    inputTokens: 1,
    cachedTokens: 0,
    cacheWriteTokens: 0,
  },
  ...{
    outputTokens: 1,
    reasoningTokens: 0,
    hasAllTokens: true,
    costUsd: null,
    latencyMs: 1,
    firstTokenMs: null,
    ok: true,
  },
  errorCode: null,
  providerMessage: null,
  note: null,
  promptId: null,
})
const preview = (key: string, role: 'lead' | 'member', agentId: string | null = null): TeamCallPreview => ({
  ...{
    key,
    who: { role, agentId, name: key },
    when: '',
    dependsOn: [],
    system: null,
    messages: [],
    tools: [],
  },
  ...{ toolChoice: null, responseSchema: null, model: { llmConfigId: 'c', modelId: 'small' } },
  estimatedTokens: 1,
})
const previews = [
  preview('step:0', 'lead'),
  preview('call:m1', 'member', 'a'),
  preview('call:m2', 'member', 'b'),
  preview('step:1', 'lead'),
]

test('a call of a member is that of its agent, one of the lead that of its step', () => {
  expect(previewOfCall(call('chat', 'b'), 0, previews)?.key).toBe('call:m2')
  expect(previewOfCall(call('chat'), 0, previews)?.key).toBe('step:0')
  expect(previewOfCall(call('chat'), 1, previews)?.key).toBe('step:1')
})

test('later steps of the lead look like the last one that is shown', () => {
  expect(previewOfCall(call('chat'), 7, previews)?.key).toBe('step:1')
})

test('a member that the version does not have, and a step of another mode, have no prompt', () => {
  expect(previewOfCall(call('chat', 'gone'), 0, previews)).toBeNull()
  expect(previewOfCall(call('review'), 0, previews)).toBeNull()
})

test('helpers of a run have no prompt to show', () => {
  expect(['chat', 'route', 'summary', 'guardrail'].map((purpose) => hasPreview(call(purpose)))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(hasPreview(call('embedding', 'a'))).toBe(false)
})
