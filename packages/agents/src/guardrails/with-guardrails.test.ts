import { type AgentConfig, DomainError, type GuardrailConfig } from '@troupe/contract'
import { describe, expect, test } from 'vitest'
import { eventsOfRow } from '../stream/replay.ts'
import { delegate, plan, review, route } from '../team/testing/lead-replies.ts'
import { answerOf, CREW, RunKit, type TestTeam } from '../testing/run-kit.ts'
import { inTurn, type Reply } from '../testing/scripted-model.ts'
import { asksModel, noWord, wordRules } from './testing/word-rules.ts'

interface Rules {
  input?: GuardrailConfig[]
  output?: GuardrailConfig[]
}

const guarded = ({ input = [], output = [] }: Rules) => ({
  config: (config: AgentConfig) => {
    config.guardrails = { input, output }
  },
})

function setUp(rules: Rules, replies: Reply[] = []) {
  const guardrails = wordRules()
  const kit = new RunKit({
    agents: [{ name: 'Ada', ...guarded(rules) }],
    respond: inTurn({ Ada: replies }),
    guardrails,
  })
  return { kit, guardrails, [Symbol.asyncDispose]: () => kit[Symbol.asyncDispose]() }
}

const onlyRun = (kit: RunKit) => kit.store.onlyRun()
const namesOf = (events: readonly { event: string }[]) => events.map(({ event }) => event)

describe('an agent', () => {
  test('a blocked input is answered without a model: start, one delta, end, and no usage', async () => {
    await using setting = setUp({ input: [noWord('MESSAGE')] })
    const events = await setting.kit.stream()
    expect(namesOf(events)).toEqual(['RunStarted', 'RunContent', 'RunCompleted'])
    expect(events.at(-1)).toMatchObject({
      result: {
        content: 'NO',
        success: false,
        metrics: { inputTokens: 0, outputTokens: 0 },
        flags: [{ stage: 'input', type: 'regex', action: 'block', reason: 'BROKEN' }],
      },
    })
    expect(setting.kit.models.calls).toEqual([])
    expect(onlyRun(setting.kit).end).toMatchObject({ input: '[blocked]', content: 'NO' })
    expect(JSON.stringify(onlyRun(setting.kit).end)).not.toContain('MESSAGE')
  })

  test('redacted input is neither seen by the model nor stored', async () => {
    await using setting = setUp({ input: [noWord('MESS', { action: 'redact' })] }, ['Fine.'])
    expect(await setting.kit.run()).toMatchObject({ content: 'Fine.', success: true })
    expect(setting.kit.models.calls[0]?.asked).toBe('[redacted]AGE')
    const { end } = onlyRun(setting.kit)
    expect(end?.input).toBe('[redacted]AGE')
    expect(end?.messages[0]).toMatchObject({ role: 'user', content: '[redacted]AGE' })
  })

  test('a rule beside the first model call voids the text of that call', async () => {
    const slow = Promise.withResolvers<void>()
    const guardrails = wordRules()
    await using kit = new RunKit({
      agents: [
        { name: 'Ada', ...guarded({ input: [noWord('MESSAGE', { action: 'block', run: 'parallel' })] }) },
      ],
      respond: () => [{ text: 'Secret ' }, { text: 'answer' }],
      guardrails: {
        check: async (...given) => {
          await slow.promise
          return guardrails.check(...given)
        },
      },
    })
    const streaming = kit.stream()
    await expect.poll(() => kit.models.calls.length).toBe(1)
    slow.resolve()
    const events = await streaming
    expect(answerOf(events)).toBe('NO')
    expect(events.find(({ event }) => event === 'RunContentReset')).toMatchObject({ reason: 'guardrail' })
    expect(events.at(-1)).toMatchObject({ result: { content: 'NO', success: false } })
  })

  test('no text is shown before a blocking output rule has passed it, and then as one delta', async () => {
    await using setting = setUp({ output: [noWord('awful')] }, [[{ text: 'All ' }, { text: 'good' }]])
    const events = await setting.kit.stream()
    expect(events.filter(({ event }) => event === 'RunContent')).toMatchObject([{ delta: 'All good' }])
    expect(answerOf(events)).toBe('All good')
    expect(events.at(-1)).toMatchObject({ result: { content: 'All good', success: true } })
  })

  test.each(['blocking', 'parallel'] as const)('a blocked output is stored nowhere: %s', async (run) => {
    await using setting = setUp({ output: [noWord('awful', { action: 'block', run })] }, ['All awful'])
    const events = await setting.kit.stream()
    expect(answerOf(events)).toBe('NO')
    expect(events.at(-1)).toMatchObject({ result: { content: 'NO', success: false } })
    expect(namesOf(events).includes('RunContentReset')).toBe(run === 'parallel')
    expect(JSON.stringify(onlyRun(setting.kit).end?.messages)).not.toContain('awful')
    if (run === 'blocking') expect(JSON.stringify(events)).not.toContain('awful')
  })

  test('a redacted output is the answer, and the only one in the messages', async () => {
    await using setting = setUp({ output: [noWord('awful', { action: 'redact' })] }, ['All awful'])
    expect(await setting.kit.run()).toMatchObject({ content: 'All [redacted]', success: true })
    expect(onlyRun(setting.kit).end?.messages.at(-1)).toMatchObject({ content: 'All [redacted]' })
  })

  test('the calls of a rule count in the run, with their own purpose', async () => {
    await using setting = setUp({ input: [asksModel()] }, ['no', 'Hello'])
    expect(await setting.kit.run()).toMatchObject({
      content: 'Hello',
      metrics: { inputTokens: 20, outputTokens: 10 },
    })
    expect(onlyRun(setting.kit).end?.usage.map(({ purpose }) => purpose)).toEqual(['guardrail', 'chat'])
  })

  test('a resumed job evaluates no rule again: the committed verdict holds', async () => {
    await using setting = setUp({ input: [asksModel()], output: [noWord('awful')] }, ['no', 'Hello'])
    const { kit, guardrails } = setting
    const delivery = await kit.enqueue()
    const run = kit.store.run(delivery.runId)
    let died = false
    kit.store.atCommit = async ({ key }, write) => {
      const written = write()
      if (key === 'step:0' && !died) {
        died = true
        throw new Error('the worker dies')
      }
      return written
    }
    await kit.worker().advance(delivery)
    run.workerId = null
    run.slice = 1
    await kit.worker().advance({ ...delivery, slice: 1 })
    expect(run.end).toMatchObject({ content: 'Hello', success: true, inputTokens: 20 })
    expect(guardrails.checks).toEqual(['input: MESSAGE', 'output: Hello'])
    expect(answerOf(run.events.flatMap((row) => [...eventsOfRow(row, 0)]))).toBe('Hello')
  })
})

const TEAMS: Record<TestTeam['mode'], Record<string, Reply[]>> = {
  handoff: { [CREW]: [route('m1')], Ada: ['All awful'] },
  'dynamic-delegation': { [CREW]: [delegate('m1'), 'All awful'], Ada: ['A'] },
  parallel: { [CREW]: [{ call: 'broadcast', input: { task: 'T' } }, 'All awful'], Ada: ['A'], Ben: ['B'] },
  'plan-execute': {
    [CREW]: [plan('t1 m1'), review('complete', { evidence: ['t1'] }), 'All awful'],
    Ada: ['A'],
  },
}
const MODES = Object.keys(TEAMS) as TestTeam['mode'][]

function team(mode: TestTeam['mode'], rules: Rules, script = TEAMS[mode]) {
  return new RunKit({
    agents: [{ name: 'Ada' }, { name: 'Ben' }],
    team: {
      mode,
      members: ['Ada', 'Ben'],
      config: { guardrails: { input: rules.input ?? [], output: rules.output ?? [] } },
    },
    respond: inTurn(script),
    guardrails: wordRules(),
  })
}

describe('a team', () => {
  test.each(MODES)('a blocked input reaches neither lead nor members in %s', async (mode) => {
    await using kit = team(mode, { input: [noWord('MESSAGE')] })
    expect(await kit.run()).toMatchObject({ content: 'NO', success: false })
    expect(kit.models.calls).toEqual([])
  })

  test.each(MODES)('a blocked output is in no event of %s', async (mode) => {
    await using kit = team(mode, { output: [noWord('awful')] })
    const events = await kit.stream()
    expect(answerOf(events)).toBe('NO')
    expect(events.at(-1)).toMatchObject({ result: { content: 'NO', success: false } })
    expect(JSON.stringify(events)).not.toContain('awful')
    expect(JSON.stringify(onlyRun(kit).end)).not.toContain('All awful')
  })

  test.each(MODES)('models see the remaining input in %s', async (mode) => {
    await using kit = team(mode, { input: [noWord('MESS', { action: 'redact' })] })
    await kit.run()
    expect(kit.models.calls.length).toBeGreaterThan(1)
    expect(JSON.stringify(kit.models.calls.map(({ prompt }) => prompt))).not.toContain('MESSAGE')
  })

  test('a promoted lead brings its own rules if the team has none', async () => {
    await using kit = new RunKit({
      agents: [{ name: 'Lea', ...guarded({ input: [noWord('MESSAGE')] }) }, { name: 'Ada' }],
      team: { mode: 'dynamic-delegation', members: ['Ada'], lead: 'Lea' },
      respond: inTurn({}),
      guardrails: wordRules(),
    })
    expect(await kit.run()).toMatchObject({ content: 'NO', success: false })
  })

  test('a member whose own rule blocks its task has refused it, without a model', async () => {
    await using kit = new RunKit({
      agents: [{ name: 'Ada', ...guarded({ input: [noWord('TASK-m1')] }) }, { name: 'Ben' }],
      team: { mode: 'dynamic-delegation', members: ['Ada', 'Ben'] },
      respond: inTurn({ [CREW]: [delegate('m1'), 'Ada refused.'] }),
      guardrails: wordRules(),
    })
    const result = await kit.run()
    expect(result).toMatchObject({ content: 'Ada refused.', success: true, flags: [{ stage: 'input' }] })
    expect(kit.models.calls.map(({ agent }) => agent)).toEqual([CREW, CREW])
    expect(kit.models.calls[1]?.results[0]).toContain('status="refused"')
    const [member] = kit.store.onlyRun().members.values()
    expect(member).toMatchObject({ input: '[blocked]', content: 'NO', success: false })
  })
})

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const OUTPUT = { mode: 'json_schema', schema: SCHEMA, strategy: 'auto', max_repairs: 1 } as const
/** The scripts of a team whose first answer is `Words`, which is not JSON. */
const JSON_TEAMS: Record<TestTeam['mode'], Record<string, Reply[]>> = {
  handoff: { [CREW]: [route('m1')], Ada: ['Words', '{"n":1}'] },
  'dynamic-delegation': { [CREW]: [delegate('m1'), 'Draft', 'Words', '{"n":1}'], Ada: ['A'] },
  parallel: {
    [CREW]: [{ call: 'broadcast', input: { task: 'T' } }, 'Words', '{"n":1}'],
    Ada: ['A'],
    Ben: ['B'],
  },
  'plan-execute': {
    [CREW]: [plan('t1 m1'), review('complete', { evidence: ['t1'] }), 'Words', '{"n":1}'],
    Ada: ['A'],
  },
}

describe('a team whose answers have a schema', () => {
  const structured = (mode: TestTeam['mode'], script: Record<string, Reply[]>) =>
    new RunKit({
      agents: [{ name: 'Ada' }, { name: 'Ben' }],
      team: { mode, members: ['Ada', 'Ben'], config: { output: OUTPUT } },
      respond: inTurn(script),
    })

  test.each(MODES)('answers JSON in %s, after a repair, and streams nothing else', async (mode) => {
    await using kit = structured(mode, JSON_TEAMS[mode])
    const events = await kit.stream()
    expect(events.at(-1)).toMatchObject({
      event: 'RunCompleted',
      result: { content: '{"n":1}', success: true },
    })
    expect(answerOf(events)).toBe('{"n":1}')
    const answers = events.filter((event) => event.event === 'RunContent' && event.channel === 'answer')
    expect(answers).toHaveLength(1)
  })

  test.each(MODES)('fails when the repairs are used up in %s', async (mode) => {
    const script = Object.fromEntries(
      Object.entries(JSON_TEAMS[mode]).map(([name, replies]): [string, Reply[]] => [
        name,
        [...replies.map((reply) => (reply === '{"n":1}' ? 'Still words' : reply))],
      ]),
    )
    await using kit = structured(mode, mode === 'handoff' ? { ...script, Ben: ['x', 'y'] } : script)
    const error = await kit.run()
    expect(error).toBeInstanceOf(DomainError)
    expect(error).toMatchObject({ code: 'upstream_error', message: expect.stringContaining('output schema') })
  })

  test('a promoted lead brings its own schema if the team has none', async () => {
    const config = (full: AgentConfig) => {
      full.execution.output = { ...OUTPUT, schema: SCHEMA }
    }
    await using kit = new RunKit({
      agents: [{ name: 'Lea', config }, { name: 'Ada' }],
      team: { mode: 'parallel', members: ['Ada'], lead: 'Lea', toggles: { auto_member_input: false } },
      respond: inTurn({ Ada: ['A'], Lea: ['{"n":1}'] }),
    })
    expect(await kit.run()).toMatchObject({ content: '{"n":1}' })
  })
})
