import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { systemClock } from '@troupe/agents/ports'
import { idNamed } from '@troupe/agents/testing/test-ids'
import { LlmConfigId } from '@troupe/contract'
import { describe, expect, it } from 'vitest'
import { targetOf } from '../testing/open-chain.ts'
import { ProviderRegistry } from './provider-registry.ts'

const RUN = { agentName: 'Ada' }
const connection = (version: number, configuration = 'c1') => ({
  ...targetOf('http://127.0.0.1:9/v1', 'm').connection,
  llmConfigId: idNamed(LlmConfigId, configuration),
  version,
})

describe('ProviderRegistry', () => {
  it('returns the same model for the same version and a new one after an edit', async () => {
    const registry = new ProviderRegistry({ fetch, clock: systemClock })
    const first = await registry.model(connection(1), 'm', RUN)
    expect(registry.model(connection(1), 'm', RUN)).toBe(first)
    expect(await registry.model(connection(2), 'm', RUN)).not.toBe(first)
    expect(await registry.model(connection(2, 'c2'), 'm', RUN)).not.toBe(first)
  })

  it('evicts the oldest connection if there are too many', async () => {
    const registry = new ProviderRegistry({ fetch, clock: systemClock })
    const first = await registry.model(connection(1), 'm', RUN)
    for (let index = 0; index < 1_000; index++)
      await registry.model(connection(1, `other-${index}`), 'm', RUN)
    expect(await registry.model(connection(1), 'm', RUN)).not.toBe(first)
  })

  it('creates a separate sandbox for every run', async () => {
    const registry = new ProviderRegistry({ fetch, clock: systemClock })
    const sandbox = { ...connection(1), providerId: 'sandbox' as const }
    const first = await registry.model(sandbox, 'sandbox-1', RUN)
    expect(await registry.model(sandbox, 'sandbox-1', RUN)).not.toBe(first)
  })

  it('loads no provider package before the first call', async () => {
    const script = `
      import { registerHooks } from 'node:module'
      const seen = []
      registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) })
      const { createChatModels } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)})
      createChatModels({ fetch }).open({ chain: { targets: [{}] } })
      console.log(JSON.stringify(seen.filter((name) => name.startsWith('@ai-sdk/'))))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    expect(new Set(JSON.parse(stdout))).toEqual(new Set(['@ai-sdk/provider']))
  }, 15_000)
})
