import { LlmConfigId, newId } from '@troupe/contract'
import { expect, test } from 'vitest'
import type { CatalogModel } from '../ports/agent-catalog.ts'
import type { ModelAttempt } from '../ports/chat-models.ts'
import { Ledger, type LedgerCaller } from './ledger.ts'

const CALLER: LedgerCaller = { agentId: null, memberRunId: null }

function attempt(counts: Partial<ModelAttempt>): ModelAttempt {
  return {
    llmConfigId: newId(LlmConfigId),
    modelId: 'm',
    attempt: 1,
    isFallback: false,
    inputTokens: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    usageIncomplete: false,
    latencyMs: 1,
    ttftMs: 1,
    ok: true,
    errorCode: null,
    internalMessage: null,
    note: null,
    providerMessage: null,
    ...counts,
  }
}

test('unstorable counts are clamped and marked', () => {
  const ledger = new Ledger()
  ledger.add(
    attempt({ inputTokens: 5e9, outputTokens: 1.5, reasoningTokens: -5, cachedTokens: Number.NaN }),
    'chat',
    null,
    CALLER,
  )
  expect(ledger.unwritten[0]).toMatchObject({
    inputTokens: 2_147_483_647,
    outputTokens: 2,
    reasoningTokens: 0,
    cachedTokens: 0,
    usageIncomplete: true,
  })
  ledger.add(attempt({ inputTokens: 10 }), 'chat', null, CALLER)
  expect(ledger.inputTokens).toBe(2_147_483_647)
  expect(ledger.unwritten[1]?.usageIncomplete).toBe(false)
})

test('a failed attempt counts, and only an answered fallback is a failover', () => {
  const ledger = new Ledger()
  ledger.add(attempt({ ok: false, inputTokens: 7, isFallback: true }), 'chat', null, CALLER)
  expect([ledger.inputTokens, ledger.failoverUsed]).toEqual([7, false])
  ledger.add(attempt({ isFallback: true }), 'chat', null, CALLER)
  expect(ledger.failoverUsed).toBe(true)
})

test('cached tokens have their own price', () => {
  const model = {
    inputUsdPerMillion: 4,
    cachedInputUsdPerMillion: 1,
    outputUsdPerMillion: 10,
  } as CatalogModel
  const ledger = new Ledger()
  ledger.add(attempt({ inputTokens: 100, cachedTokens: 40, outputTokens: 3 }), 'chat', model, CALLER)
  expect(ledger.unwritten[0]?.costMicros).toBe(60 * 4 + 40 + 30)
})

test('tokens written to a cache have their own price, or a quarter more than that of input', () => {
  const prices = { inputUsdPerMillion: 4, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 10 }
  const used = { inputTokens: 100, cachedTokens: 40, cacheWriteTokens: 20, outputTokens: 3 }
  const ledger = new Ledger()
  for (const cacheWriteUsdPerMillion of [null, 7]) {
    const model = { ...prices, cacheWriteUsdPerMillion } as CatalogModel
    ledger.add(attempt(used), 'chat', model, CALLER)
  }
  const others = 40 * 4 + 40 + 30
  expect(ledger.unwritten.map(({ costMicros }) => costMicros)).toEqual([others + 20 * 5, others + 20 * 7])
})

test('tokens that a cache keeps for an hour cost twice the input, or as much more than other writes', () => {
  const prices = { inputUsdPerMillion: 4, cachedInputUsdPerMillion: 1, outputUsdPerMillion: 10 }
  const used = { inputTokens: 100, cacheWriteTokens: 30, cacheWriteHourTokens: 20 }
  const ledger = new Ledger()
  for (const cacheWriteUsdPerMillion of [null, 10]) {
    const model = { ...prices, cacheWriteUsdPerMillion } as CatalogModel
    ledger.add(attempt(used), 'chat', model, CALLER)
  }
  const fresh = 70 * 4
  expect(ledger.unwritten.map(({ costMicros }) => costMicros)).toEqual([
    fresh + 10 * 5 + 20 * 8,
    fresh + 10 * 10 + 20 * 16,
  ])
})

test('rows taken by a failed commit are returned, before later ones', () => {
  const ledger = new Ledger({ inputTokens: 10, outputTokens: 5, failoverUsed: true, costMicros: 3 })
  ledger.add(attempt({ modelId: 'first' }), 'chat', null, CALLER)
  const taken = ledger.take()
  ledger.add(attempt({ modelId: 'second', inputTokens: 1 }), 'route', null, CALLER)
  expect(ledger.unwritten.map(({ modelId }) => modelId)).toEqual(['second'])
  ledger.giveBack(taken)
  expect(ledger.unwritten.map(({ modelId }) => modelId)).toEqual(['first', 'second'])
  expect([ledger.inputTokens, ledger.outputTokens, ledger.failoverUsed]).toEqual([11, 5, true])
})
