import { mergeTeamConfig, type StreamEvent } from '@troupe/contract'
import { expect, test } from 'vitest'
import { reduceRun } from '../runs/reduce-run.ts'
import { NEW_RUN, newLane, type RunView } from '../runs/run-view.ts'
import { modeStory } from './mode-story.ts'
import { runPlaces } from './run-places.ts'
import { storyLayout } from './story-layout.ts'

const agent = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

function storyOf(mode: string) {
  const members = [{ agent: agent(1) }, { agent: agent(2) }]
  const merged = mergeTeamConfig({ mode, lead: { managed: {} }, members })
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  return modeStory(merged.config, { lead: 'Lead', agent: (id) => id })
}
const story = storyOf('parallel')
const run = (own: Partial<RunView['own']>, more: Partial<RunView> = {}): RunView => ({
  ...NEW_RUN,
  ...more,
  own: { ...NEW_RUN.own, ...own },
})
const FAILED = { kind: 'failed', code: 'x', message: '' } as const
const STOPPED = { kind: 'cancelled', content: '' } as const
const first = { asked: ['broadcast'], answered: [] }
const litOf = (view: RunView, of = story) =>
  storyLayout(of, runPlaces(of, view).taken)
    .lines.filter(({ isLit }) => isLit)
    .map(({ step }) => `${step.from}>${step.to}`)

test.each([
  [FAILED, 'failed'],
  [STOPPED, 'stopped'],
] as const)('a run that ends in its first call reached nothing after it: %j', (end, state) => {
  const view = run(first, { end })
  expect(runPlaces(story, view).stations).toEqual({ lead: state })
  expect(litOf(view)).toEqual(['message>lead'])
})

test('each call of the lead has its own state', () => {
  const stations = (own: Partial<RunView['own']>) => runPlaces(story, run(own)).stations
  expect(stations({ ...first, purpose: 'broadcast' })).toEqual({ lead: 'working', synthesis: 'waiting' })
  const joins = { asked: ['broadcast', 'synthesis'], answered: ['broadcast'], purpose: 'synthesis' }
  expect(stations(joins)).toEqual({ lead: 'done', synthesis: 'working' })
})

test('a repeated call of the lead that is stopped counts as stopped, even if the first one was answered', () => {
  const runId = '11111111-1111-4111-8111-111111111111'
  const about = { runId, createdAt: 1, source: { role: 'lead', agentId: null, agentName: 'Lead', runId } }
  const call = { ...about, purpose: 'broadcast', step: 1 } as const
  const events = [
    { event: 'ModelRequestStarted', ...call },
    { event: 'ModelRequestCompleted', ...call, inputTokens: 1, outputTokens: 1 },
    { event: 'ModelRequestStarted', ...call },
    { event: 'RunCancelled', ...about, reason: 'user', content: '' },
  ].map((event, index) => ({ ...event, seq: index + 1 }) as unknown as StreamEvent)
  const read = (count: number) => events.slice(0, count).reduce(reduceRun, NEW_RUN)
  expect(runPlaces(story, read(2)).stations.lead).toBe('done')
  expect(runPlaces(story, read(4)).stations.lead).toBe('stopped')
})

test('stopped members are not shown as failed, and their path counts as taken', () => {
  const lanes = [{ ...newLane('r', agent(1), 'One'), state: 'cancelled' as const }]
  const view = run({ asked: ['broadcast'], answered: ['broadcast'] }, { lanes, end: STOPPED })
  expect(runPlaces(story, view).members).toEqual({ [agent(1)]: 'stopped' })
  expect(litOf(view)).toEqual(['message>lead', 'lead>members'])
})

test('a plan without a report, and a run with unknown events', () => {
  const done: RunView['end'] = {
    ...{ kind: 'completed', content: '', success: true, citations: [], flags: [], failoverUsed: false },
    latencyMs: null,
  }
  const plan = storyOf('plan-execute')
  const calls = { asked: ['plan', 'review'], answered: ['plan', 'review'] }
  expect(runPlaces(plan, run(calls, { end: done })).stations).toEqual({ plan: 'done', review: 'done' })
  const restored = runPlaces(plan, run({}, { end: done })).stations
  expect(restored).toEqual({ plan: 'done', review: 'done', report: 'done' })
  expect(runPlaces(plan, run({}, { end: FAILED })).stations).toEqual({})
})

test('every number of a run is on a line', () => {
  for (const mode of ['handoff', 'dynamic-delegation', 'parallel', 'plan-execute']) {
    const of = storyOf(mode)
    const { lines, marks } = storyLayout(of, runPlaces(of, run({}, { end: STOPPED })).taken)
    for (const { step } of marks) expect(lines.some((line) => line.step.id === step.id)).toBe(true)
  }
})
