import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunSetting, startRunSetting } from './model-agent.ts'

let setting: RunSetting
beforeAll(async () => {
  setting = await startRunSetting({ env: { TROUPE_ALLOWED_NETWORKS: 'none' } })
})
afterAll(() => setting[Symbol.asyncDispose]())

test('a model URL in a forbidden network is never called, attempted once and reported in one sentence', async () => {
  const { agentId } = await setting.agent()
  expect(await setting.run(agentId, { message: 'x' })).toMatchObject({
    status: 502,
    body: {
      error: 'upstream_error',
      message:
        'The address of the LLM configuration is not allowed here: the operator must add its network to TROUPE_ALLOWED_NETWORKS.',
    },
  })
  const { registry } = setting.server.context.metrics
  const attempts = await registry.getSingleMetricAsString('troupe_model_attempt_duration_seconds')
  expect(attempts).toMatch(/_count\{.*address_not_allowed.*\} 1\n?/)
  expect(setting.model.requests).toEqual([])
})
