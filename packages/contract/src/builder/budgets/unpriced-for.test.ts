import { expect, test } from 'vitest'
import { unpricedFor } from './unpriced-for.ts'

const [HERE, THERE] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const configuration = (name: string, projectId: string | null) => ({
  ...{ llmConfigId: name, name, projectId, modelIds: ['m'], count: 1 },
})
const ALL = [configuration('shared', null), configuration('here', HERE), configuration('there', THERE)]
const names = (metric: 'llm_cost_usd' | 'llm_tokens', projectId: string | null) =>
  unpricedFor([{ metric, projectId }], ALL).map(({ name }) => name)

test('a budget in dollars concerns the configurations that its runs can use, and one in tokens none', () => {
  expect(names('llm_cost_usd', null)).toEqual(['shared', 'here', 'there'])
  expect(names('llm_cost_usd', HERE)).toEqual(['shared', 'here'])
  expect(names('llm_tokens', null)).toEqual([])
})
