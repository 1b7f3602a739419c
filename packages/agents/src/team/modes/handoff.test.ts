import { DomainError, isBlank, type StreamEvent } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentIdOf, answerOf, CREW, RunKit, type TestTeam } from '../../testing/run-kit.ts'
import { chainFailed, inTurn, type Reply } from '../../testing/scripted-model.ts'
import { route } from '../testing/lead-replies.ts'

const agents = ['Ada', 'Ben', 'Cy'].map((name) => ({ name }))
const DOWN = chainFailed('It is down.')
const REFUSED: Reply = [{ text: 'I must not.' }, { finish: 'content-filter' }]

function setUp(script: Record<string, Reply[]>, team: Partial<TestTeam> = {}): RunKit {
  const members = ['Ada', 'Ben']
  return new RunKit({ agents, team: { mode: 'handoff', members, ...team }, respond: inTurn(script) })
}

const deltasOf = (events: readonly StreamEvent[]) =>
  events.flatMap((event) => (event.event === 'RunContent' ? [event.delta] : []))

test('the deltas of the member are the answer, byte for byte, without other authors', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  // White space at the start is held back until other text follows, and on its own it is not an answer: see
  // `call-model.test.ts`.
  const answer = fc.array(text, { minLength: 1, maxLength: 8 }).filter(([first = '']) => !isBlank(first))
  await fc.assert(
    fc.asyncProperty(answer, async (parts) => {
      const member = parts.map((part) => ({ text: part }))
      await using kit = setUp({ [CREW]: [[{ text: 'I choose m1.' }, route('m1') as never]], Ada: [member] })
      const events = await kit.stream()
      expect(deltasOf(events)).toEqual(parts)
      const content = parts.join('')
      expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content, success: true } })
      const run = kit.store.onlyRun()
      expect(run.end).toMatchObject({ content, answerAgentId: agentIdOf('Ada') })
      expect(run.end?.messages.at(-1)).toMatchObject({ content, agentName: 'Ada' })
    }),
    { numRuns: 40 },
  )
})

test('text that a member wrote before it failed is voided, and another one answers', async () => {
  await using kit = setUp({
    [CREW]: [route('m1')],
    Ada: [[{ text: 'Half of ' }, { text: 'it' }, DOWN]],
    Ben: ['Whole'],
  })
  const events = await kit.stream()
  expect(answerOf(events)).toBe('Whole')
  const told = events.map(({ event }) => event)
  expect(events.filter(({ event }) => event === 'RunContentReset')).toMatchObject([
    { reason: 'reroute', source: { role: 'member', agentName: 'Ada' } },
  ])
  expect(told.indexOf('MemberRunError')).toBeLessThan(told.indexOf('RunContentReset'))
  expect(told.indexOf('RunContentReset')).toBeLessThan(told.lastIndexOf('MemberRunStarted'))
  expect(events.at(-1)).toMatchObject({ event: 'RunCompleted', result: { content: 'Whole' } })
})

test('a failure without text is not reported as voided', async () => {
  await using kit = setUp({ [CREW]: [route('m1')], Ada: [DOWN], Ben: ['Whole'] })
  expect((await kit.stream()).map(({ event }) => event)).not.toContain('RunContentReset')
})

test('after a failure the second choice is among the others, and a second failure is the end', async () => {
  await using kit = setUp(
    { [CREW]: [route('m2'), route('m3')], Ben: [DOWN], Cy: [DOWN] },
    { members: ['Ada', 'Ben', 'Cy'] },
  )
  const error = await kit.run()
  expect(error).toMatchObject({ code: 'upstream_error', message: 'Member Cy failed: It is down.' })
  const [, , second] = kit.models.calls
  expect(JSON.stringify(second?.options.tools)).toContain('"enum":["m1","m3"]')
  expect(kit.models.calls.map(({ agent }) => agent)).toEqual([CREW, 'Ben', CREW, 'Cy'])
})

test('an empty answer of a member is a failure, never an answer', async () => {
  await using kit = setUp({ [CREW]: [route('m1')], Ada: [[]], Ben: ['Whole'] })
  expect(await kit.run()).toMatchObject({ content: 'Whole' })
})

test('a refusal is the answer, without success and without a second member', async () => {
  await using kit = setUp({ [CREW]: [route('m1')], Ada: [REFUSED] })
  expect(await kit.run()).toMatchObject({ content: 'I must not.', success: false })
})

test('a team with one member needs no choice', async () => {
  await using kit = setUp({ Ada: ['A'] }, { members: ['Ada'] })
  expect(await kit.run()).toMatchObject({ content: 'A', metrics: { inputTokens: 10 } })
  expect(kit.models.calls[0]?.asked).toBe('MESSAGE')
})

test('a promoted lead may choose itself, and answers with its own instructions', async () => {
  await using kit = setUp({ Cy: [route('self'), 'MINE'] }, { lead: 'Cy' })
  expect(await kit.run()).toMatchObject({ content: 'MINE' })
  const [choice, answer] = kit.models.calls
  expect(choice?.system).toMatch(/^INSTRUCTIONS-OF-Cy\n\n<role>/)
  expect(JSON.stringify(choice?.options.tools)).toContain('"enum":["m1","m2","self"]')
  expect([answer?.system, answer?.asked]).toEqual(['INSTRUCTIONS-OF-Cy', 'TASK-self'])
})

test('archived and deleted members leave the pool, and the others keep their keys', async () => {
  const archived = [{ name: 'Ada', status: 'archived' as const }, { name: 'Ben' }, { name: 'Cy' }]
  await using kit = new RunKit({
    agents: archived,
    team: { mode: 'handoff', members: ['Ada', 'Gone', 'Ben', 'Cy'] },
    respond: inTurn({ [CREW]: [route('m4')], Cy: ['C'] }),
  })
  expect(await kit.run()).toMatchObject({ content: 'C' })
  expect(JSON.stringify(kit.models.calls[0]?.options.tools)).toContain('"enum":["m3","m4"]')
})

test("a member without usable models fails itself; the team's model does not replace it", async () => {
  const lost = (config: { model: { primary: { llm_config_id?: string | null } } }) => {
    config.model.primary.llm_config_id = '00000000-0000-4000-8000-0000000000ff'
  }
  await using kit = new RunKit({
    agents: [{ name: 'Ada', config: lost }, { name: 'Ben' }],
    team: { mode: 'handoff', members: ['Ada', 'Ben'] },
    respond: inTurn({ [CREW]: [route('m1')], Ben: ['B'] }),
  })
  const events = await kit.stream()
  expect(events.find(({ event }) => event === 'MemberRunError')).toMatchObject({
    error: { message: 'It has no connected LLM configuration with a model that it may use.' },
  })
  expect(events.at(-1)).toMatchObject({ result: { content: 'B' } })
})

test('a lead that cannot be reached is 502', async () => {
  await using kit = setUp({ [CREW]: [chainFailed('The lead is down.')] })
  const error = await kit.run()
  expect(error).toBeInstanceOf(DomainError)
  expect(error).toMatchObject({ code: 'upstream_error', message: 'The lead is down.' })
})
