import { NodeFailure } from '@troupe/workflows/ports'
import { expect, test } from 'vitest'
import type { ExecutedType } from '../definitions.ts'
import { executeNode } from '../testing/execute-node.ts'

const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const conversation = { message: 'Say {{ trigger.text }}' }
const asked = { entityId: id, message: 'Say hello', sessionId: null, userId: null }
const classes = ['a', 'b'].map((name) => ({ id: name, name, description: name }))

test.for<[ExecutedType, object, unknown]>([
  ['ai-prompt', { prompt: 'Say {{ trigger.text }}' }, { system: '', prompt: 'Say hello' }],
  ['classify', { text: '{{ trigger.text }}', classes }, { text: 'hello', instructions: '' }],
  ['ai-agent', { agentId: id, ...conversation }, asked],
  ['team-step', { teamId: id, ...conversation }, asked],
])('%s records its input before it makes a call, so that a failure shows it', async ([
  type,
  config,
  input,
]) => {
  const told: unknown[] = []
  const fail = () => {
    told.push('asked')
    return Promise.reject(new NodeFailure('nobody answers'))
  }
  const executed = executeNode(
    type,
    { ...config },
    {
      trigger: { text: 'hello' },
      services: { runChild: fail, callModel: fail },
      given: (given) => told.push(given),
    },
  )
  await expect(executed).rejects.toThrow('nobody answers')
  expect(told).toEqual([input, 'asked'])
})
