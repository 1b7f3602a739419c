import { NodeFailure } from '@troupe/workflows/ports'
import { expect, test } from 'vitest'
import { NODE_TYPES } from '../definitions.ts'
import { NODE_HANDLERS } from '../handlers.ts'
import { executeNode, outputOf, ScriptedServices, type Setting } from '../testing/execute-node.ts'
import { findings } from '../testing/findings.ts'

const agentId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
const base = { agentId, message: 'Summarize {{ trigger.text }}' }
const setting: Setting = { trigger: { text: 'this', who: 'ann', empty: '', n: 7, ctx: { key: 'v' } } }
const replying = (...contents: string[]) =>
  new ScriptedServices({ outcomes: contents.map((content) => ({ content })) })

test('the message is filled in and the reply is a string', async () => {
  const services = replying('Done.')
  expect(await executeNode('ai-agent', base, { ...setting, services, retry: 2 })).toEqual({
    result: { status: 'completed', output: 'Done.' },
    input: { entityId: agentId, message: 'Summarize this', sessionId: null, userId: null },
    agentRunId: 'child',
    inputTokens: 10,
    outputTokens: 5,
  })
  expect(services.children).toEqual([
    {
      kind: 'agent',
      entityId: agentId,
      message: 'Summarize this',
      sessionId: null,
      userId: null,
      toolContext: {},
      output: null,
      retry: 2,
    },
  ])
})

test('session, user and tool context are filled in; an empty session is none', async () => {
  const services = replying('', '')
  const config = { ...base, sessionId: 's-{{ trigger.n }}', userId: '{{ trigger.who }}' }
  await executeNode('ai-agent', { ...config, toolContext: '{{ trigger.ctx }}' }, { ...setting, services })
  await executeNode('ai-agent', { ...base, sessionId: '{{ trigger.empty }}' }, { ...setting, services })
  expect(services.children).toMatchObject([
    { sessionId: 's-7', userId: 'ann', toolContext: { key: 'v' } },
    { sessionId: null, userId: null },
  ])
})

test('without success the run continues, unless it is configured to fail', async () => {
  const outcomes = [{ content: 'half', success: false }]
  const services = () => new ScriptedServices({ outcomes })
  expect(await outputOf('ai-agent', base, { ...setting, services: services() })).toBe('half')
  const failing = { ...base, onUnsuccessful: 'fail' }
  expect(await outputOf('ai-agent', failing, { ...setting, services: services() })).toBe(
    'failed: the agent reported that it did not succeed',
  )
})

test('a failed child run fails the node, which still reports its usage', async () => {
  const outcomes = [{ ok: false, message: 'The agent took too long.' } as const]
  const running = executeNode('ai-agent', base, { ...setting, services: new ScriptedServices({ outcomes }) })
  const error = await running.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(NodeFailure)
  expect(error).toMatchObject({
    message: 'The agent took too long.',
    trace: { agentRunId: 'child', inputTokens: 10, outputTokens: 5 },
  })
})

const outputSchema = {
  type: 'object',
  properties: { score: { type: 'number' }, code: { type: 'string', pattern: '^[A-Z]+$' } },
  required: ['score'],
}

test.for<[string, unknown]>([
  ['{"score": 3}', { score: 3 }],
  [' ```json\n{"score": 3}\n``` ', { score: 3 }],
  ['{"score": 3, "code": "AB", "more": 1}', { score: 3, code: 'AB', more: 1 }],
  ['Score: 3', 'failed: the answer does not follow the output schema: it is not JSON'],
  ['', 'failed: the answer does not follow the output schema: it is not JSON'],
  ['{"score": "3"}', 'failed: the answer does not follow the output schema: score must be number'],
  ['[]', 'failed: the answer does not follow the output schema: must be object'],
  [
    '{"code": "ab"}',
    'failed: the answer does not follow the output schema: score is required; ' +
      'code must match pattern "^[A-Z]+$"',
  ],
])('under a schema the reply %j becomes %j', async ([content, output]) => {
  const config = { ...base, outputSchema }
  expect(await outputOf('ai-agent', config, { ...setting, services: replying(content) })).toEqual(output)
})

test('JSON of the schema is requested from the agent, with the problem of an invalid answer', async () => {
  const services = replying('{"score": 3}')
  await outputOf('ai-agent', { ...base, outputSchema }, { ...setting, services })
  const { output } = services.children[0] ?? {}
  expect(output?.schema).toEqual(outputSchema)
  expect(['{"score": 3}', 'Three', '{"score": "3"}'].map((text) => output?.problemOf(text))).toEqual([
    null,
    'it is not JSON',
    'score must be number',
  ])
})

test.for<[Record<string, unknown>, string]>([
  [{ message: '{{ trigger.empty }}' }, 'message is empty'],
  [{ message: '{{ trigger.nope }}' }, 'could not resolve {{ trigger.nope }}: "nope" is not in the trigger'],
  [{ toolContext: '{{ trigger.who }}' }, 'toolContext must be an object, got string'],
  [{ toolContext: { 'a b': 1 } }, 'tool_context.a b must be a key of letters'],
  [{ agentId: 'x' }, 'the configuration is not valid: agentId must be a UUID'],
])('%j is a failure that is not retried', async ([config, message]) => {
  const { result } = await executeNode('ai-agent', { ...base, ...config }, setting)
  expect(result).toEqual({ status: 'failed', message: expect.stringContaining(message) })
})

test('a message that became too long is refused', async () => {
  const long = { trigger: { text: 'x'.repeat(100_001) } }
  expect(await outputOf('ai-agent', { ...base, message: '{{ trigger.text }}' }, long)).toBe(
    'failed: message has 100001 characters, more than 100000',
  )
  const session = { ...base, message: 'x', sessionId: 's'.repeat(256) }
  expect(await outputOf('ai-agent', session)).toBe('failed: sessionId has 256 characters, more than 255')
})

test('a team returns its content', async () => {
  const services = replying('We agreed.')
  const config = { teamId: agentId, message: 'Decide' }
  expect(await outputOf('team-step', config, { ...setting, services })).toBe('We agreed.')
  expect(services.children).toMatchObject([{ kind: 'team', entityId: agentId, message: 'Decide' }])
  const failing = new ScriptedServices({ outcomes: [{ success: false }] })
  expect(
    await outputOf('team-step', { ...config, onUnsuccessful: 'fail' }, { ...setting, services: failing }),
  ).toBe('failed: the team reported that it did not succeed')
})

test('an agent has 5 minutes, a team 15, and there are no retries by default', () => {
  const timing = (type: string, config: Record<string, unknown>) => {
    const handler = NODE_HANDLERS.get(type)
    return handler?.kind === 'effect' ? handler.timing(config) : null
  }
  expect(timing('ai-agent', base)).toEqual({ timeoutSeconds: 300, retries: 0, retryDelaySeconds: 2 })
  const team = { teamId: agentId, message: 'x' }
  expect(timing('team-step', team)).toEqual({ timeoutSeconds: 900, retries: 0, retryDelaySeconds: 2 })
  expect(timing('team-step', { ...team, timeoutSeconds: 5, retries: 3, retryDelaySeconds: 9 })).toEqual({
    timeoutSeconds: 5,
    retries: 3,
    retryDelaySeconds: 9,
  })
  expect(timing('ai-agent', { retries: 'many' })).toEqual({
    timeoutSeconds: 300,
    retries: 0,
    retryDelaySeconds: 2,
  })
})

test.for<[Record<string, unknown>, string[]]>([
  [base, []],
  [{ ...base, sessionId: null, userId: null, outputSchema: null, timeoutSeconds: 900 }, []],
  [{}, ['agentId is required', 'message is required']],
  [{ agentId: 'x', message: '' }, ['agentId must be a UUID', 'message must not be empty']],
  [
    { ...base, onUnsuccessful: 'stop', timeoutSeconds: 0, retries: 6, retryDelaySeconds: 0.5 },
    [
      'onUnsuccessful must be one of: continue, fail',
      'timeoutSeconds must be at least 1',
      'retries must be at most 5',
      'retryDelaySeconds must be an integer',
    ],
  ],
  [{ ...base, outputSchema: [] }, ['outputSchema must be an object or null']],
])('the config %j has the findings %j', ([config, expected]) => {
  expect(findings('ai-agent', config)).toEqual(expected)
})

test('a team step needs its team', () => {
  expect(findings('team-step', {})).toEqual(['teamId is required', 'message is required'])
})

test('they report their references and the positions of tokens', () => {
  const agent = NODE_TYPES.get('ai-agent')
  const team = NODE_TYPES.get('team-step')
  expect(agent?.references?.(base)).toEqual([{ kind: 'agent', id: agentId, path: 'agentId' }])
  expect(agent?.references?.({ agentId: 'slug' })).toEqual([])
  expect(team?.references?.({ teamId: agentId })).toEqual([{ kind: 'team', id: agentId, path: 'teamId' }])
  const config = { ...base, sessionId: 's', userId: 'u', toolContext: { a: 'b' } }
  expect(agent?.templates?.(config).map(({ path }) => path)).toEqual([
    'message',
    'sessionId',
    'userId',
    'toolContext',
  ])
})
