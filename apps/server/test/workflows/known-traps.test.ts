import { edge, node } from '@troupe/test-kit/graph-parts'
import { startTestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WorkflowCaller } from './workflow-caller.ts'

// Faults of other engines, as real runs. Numbers are issues of the repository named before them.

let caller: WorkflowCaller
beforeAll(async () => {
  caller = new WorkflowCaller(await startTestServer({ env: { WORKFLOW_LOOP_ITERATION_CEILING: '1000' } }))
})
afterAll(() => caller.server[Symbol.asyncDispose]())

const start = node('start', 'manual-trigger')
const fields = (id: string, value: unknown, parentId?: string) =>
  node(id, 'edit-fields', { rows: [{ name: 'v', value }] }, parentId)
const agent = (id: string, message: string, parentId?: string) =>
  node(id, 'ai-agent', { agentId: caller.server.seed.agents.organization, message }, parentId)
const isTrue = (id: string, left: string) => node(id, 'if-else', { conditions: [{ left, op: 'is_true' }] })

describe('joins', () => {
  // n8n-io/n8n#27053, #37895; langgenius/dify#9996, #22887, #28487
  test('a join after a fast and a slow agent runs once, when both have answered', async () => {
    const run = await caller.runGraph({
      nodes: [
        start,
        agent('quick', 'quick'),
        agent('slow', '[[delay: 400]] slow'),
        fields('join', '{{ upstream.quick.output }} + {{ upstream.slow.output }}'),
      ],
      edges: [edge('start', 'quick'), edge('start', 'slow'), edge('quick', 'join'), edge('slow', 'join')],
    })
    expect(run).toMatchObject({
      status: 'completed',
      output: { v: '[sandbox] Organization agent: quick + [sandbox] Organization agent: slow' },
    })
    const trace = await caller.trace(run.executionId)
    expect(trace.map(({ nodeId, attempts }) => `${nodeId} ${attempts}`).sort()).toEqual([
      'join 1',
      'quick 1',
      'slow 1',
      'start 1',
    ])
  })

  // n8n-io/n8n#3949, #1351; langchain-ai/langgraphjs#2666, #1535; FlowiseAI/Flowise#5358, #4848
  test.for([
    [true, ['answer', 'branch', 'here', 'join', 'start']],
    [false, ['answer', 'branch', 'join', 'start', 'there', 'there2']],
  ] as const)('a merge of a taken branch, an untaken branch and an agent runs once: %s', async ([
    go,
    ran,
  ]) => {
    const run = await caller.runGraph(
      {
        nodes: [
          start,
          isTrue('branch', '{{ trigger.go }}'),
          fields('here', 'here'),
          fields('there', 'there'),
          fields('there2', '{{ upstream.there.output.v }}'),
          agent('answer', '[[delay: 100]] hi'),
          fields('join', '{{ upstream.answer.output }}'),
        ],
        edges: [
          edge('start', 'branch'),
          edge('branch', 'here', 'true'),
          edge('branch', 'there', 'false'),
          edge('there', 'there2'),
          edge('start', 'answer'),
          edge('here', 'join'),
          edge('there2', 'join'),
          edge('answer', 'join'),
        ],
      },
      { go },
    )
    expect(run).toMatchObject({ status: 'completed', output: { v: '[sandbox] Organization agent: hi' } })
    expect((await caller.trace(run.executionId)).map(({ nodeId }) => nodeId).sort()).toEqual(ran)
  })
})

describe('loops', () => {
  // n8n-io/n8n#4867, #385
  test('1,000 iterations each run once, in order, and return one list', async () => {
    const run = await caller.runGraph({
      nodes: [
        start,
        node('each', 'loop', { mode: 'count', count: 1_000 }),
        fields('b', '{{ loop.index }}', 'each'),
      ],
      edges: [edge('start', 'each'), edge('each', 'b', 'body')],
    })
    expect(run.status).toBe('completed')
    expect(run.output).toEqual(Array.from({ length: 1_000 }, (_, v) => ({ v })))
  })

  // FlowiseAI/Flowise#5233, #4647
  test('a review before a Loop delays it: no iteration has started', async () => {
    const id = await caller.publish({
      nodes: [
        start,
        node('ask', 'human-review', { title: 'Begin?' }),
        node('each', 'loop', { mode: 'count', count: 3 }),
        fields('b', '{{ loop.index }}', 'each'),
      ],
      edges: [edge('start', 'ask'), edge('ask', 'each', 'approved'), edge('each', 'b', 'body')],
    })
    const executionId = await caller.start(id)
    await expect.poll(() => caller.status(executionId)).toBe('awaiting_approval')
    expect((await caller.trace(executionId)).map(({ nodeId, status }) => `${nodeId} ${status}`)).toEqual([
      'start completed',
      'ask waiting',
    ])
    await caller.server.call(`POST /api/v1/workflow-jobs/${executionId}/cancel`)
  })

  test('agents in a body answer iteration by iteration, with the previous value of a variable', async () => {
    const run = await caller.runGraph({
      nodes: [
        start,
        node('begin', 'variable', { rows: [{ name: 'last', value: 'nobody' }] }),
        node('each', 'loop', { mode: 'list', source: ['Ana', 'Ben'] }),
        agent('greet', '{{ loop.item }} after {{ variables.last }}', 'each'),
        node('keep', 'variable', { rows: [{ name: 'last', value: '{{ loop.item }}' }] }, 'each'),
        fields('said', '{{ upstream.greet.output }}', 'each'),
      ],
      edges: [
        edge('start', 'begin'),
        edge('begin', 'each'),
        edge('each', 'greet', 'body'),
        edge('greet', 'keep'),
        edge('keep', 'said'),
      ],
    })
    expect(run.output).toEqual([
      { v: '[sandbox] Organization agent: Ana after nobody' },
      { v: '[sandbox] Organization agent: Ben after Ana' },
    ])
  })
})

describe('expressions', () => {
  const text = (value: string) => ({ nodes: [start, fields('out', value)], edges: [edge('start', 'out')] })

  // n8n-io/n8n#6880, #18197, #19154, #23224, #35380
  test('a node that reads a node of an untaken branch fails with its name', async () => {
    const run = await caller.runGraph(
      {
        nodes: [
          start,
          isTrue('branch', '{{ trigger.go }}'),
          fields('here', 1),
          fields('there', 2),
          fields('join', '{{ upstream.here.output.v }}'),
        ],
        edges: [
          edge('start', 'branch'),
          edge('branch', 'here', 'true'),
          edge('branch', 'there', 'false'),
          edge('here', 'join'),
          edge('there', 'join'),
        ],
      },
      { go: false },
    )
    expect(run).toMatchObject({
      status: 'failed',
      output: null,
      error:
        'Node join ("join") failed: row "v": could not resolve {{ upstream.here.output.v }}: here was skipped',
    })
  })

  // CVE-2025-68613
  test('text between braces is never executed', async () => {
    const run = await caller.runGraph(text('{{ trigger.constructor.constructor("return process")() }}'))
    expect(run.status).toBe('failed')
    expect(run.error).toContain('"constructor" is not in the trigger')
  })

  test('$&, $1, braces and quotes of a payload are unchanged', async () => {
    const evil = `$& $1 $\` $' {{ trigger.secret }} "quoted" \\{{ \u{1F600}`
    const run = await caller.runGraph(text('<{{ trigger.text }}>'), { text: evil, secret: 'never' })
    expect(run).toMatchObject({ status: 'completed', output: { v: `<${evil}>` } })
  })

  test('a payload with __proto__ is refused; nodes, variables and fields may have such names', async () => {
    const id = await caller.publish({
      nodes: [
        start,
        node('__proto__', 'variable', {
          rows: [
            { name: '__proto__', value: 'x' },
            { name: 'constructor', value: 'y' },
          ],
        }),
        node('toString', 'edit-fields', {
          rows: [
            { name: '__proto__', value: '{{ variables.__proto__ }}' },
            { name: 'constructor', value: '{{ variables.constructor }}' },
          ],
        }),
      ],
      edges: [edge('start', '__proto__'), edge('__proto__', 'toString')],
    })
    const run = await caller.run(id)
    expect(JSON.stringify(run.output)).toBe('{"__proto__":"x","constructor":"y"}')
    const poisoned = await caller.server.call(`POST /api/v1/workflows/${id}/run`, {
      body: '{"input": {"__proto__": {"admin": true}}}',
      headers: { 'content-type': 'application/json' },
    })
    expect(poisoned).toMatchObject({ status: 400, body: { error: 'validation_error' } })
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('a missing key is neither empty text nor literal braces: the run fails and names it', async () => {
    const run = await caller.runGraph(text('Dear {{ trigger.nmae }}'), { name: 'Ana' })
    expect(run.error).toContain(
      'could not resolve {{ trigger.nmae }}: "nmae" is not in the trigger (has: name)',
    )
    expect(run.error).toContain('Did you mean "name"?')
  })
})
