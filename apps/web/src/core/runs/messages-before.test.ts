import type { AgentRunDetail } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { messagesBefore } from './messages-before.ts'

type Call = AgentRunDetail['calls'][number]
type Message = AgentRunDetail['messages'][number]

const call = (change: Partial<Call> = {}) =>
  ({ purpose: 'chat', memberRunId: null, ok: true, ...change }) as Call
const says = (role: Message['role'], content: string | null, runId = 'r', tools: string[] = []) =>
  ({
    ...{ runId, role, content },
    toolCalls: tools.length === 0 ? null : tools.map((name) => ({ name, arguments: { a: 1 } })),
  }) as unknown as Message

const messages = [
  says('user', 'Hi'),
  says('assistant', null, 'r', ['find', 'count']),
  says('tool', 'found'),
  says('tool', '2'),
  says('user', 'Do it', 'm'),
  says('assistant', 'Let me see.', 'm', ['find']),
  says('tool', 'nothing', 'm'),
  says('assistant', 'Done', 'm'),
  says('assistant', 'Both.'),
]
const members = [{ runId: 'm' }] as AgentRunDetail['members']
const find = { name: 'find', arguments: { a: 1 } }

test.each([
  [0, []],
  [1, ['assistant ', 'tool found', 'tool 2']],
  [2, ['assistant ', 'tool found', 'tool 2']],
  [3, []],
  [4, ['assistant Let me see.', 'tool nothing']],
])('call %i got %j behind the message of its user', (at, expected) => {
  const calls = [call(), call({ ok: false }), call(), call({ memberRunId: 'm' }), call({ memberRunId: 'm' })]
  const before = messagesBefore({ calls, messages, members }, calls[at] as Call)
  expect(before.map(({ role, content }) => `${role} ${content}`)).toEqual(expected)
})

test('the calls of an answer are in its message', () => {
  const calls = [call({ memberRunId: 'm' }), call({ memberRunId: 'm' })]
  const [answer] = messagesBefore({ calls, messages, members }, calls[1] as Call)
  expect(answer?.toolCalls).toEqual([find])
})
