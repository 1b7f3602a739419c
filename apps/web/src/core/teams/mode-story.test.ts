import { AgentId, checkedId, mergeTeamConfig, type TeamConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import { type ModeStory, modeStory } from './mode-story.ts'
import { storyLayout } from './story-layout.ts'
import { storyPackets } from './story-packets.ts'
import { MODE_ORDER } from './team-config.ts'

const agent = (n: number) => checkedId(AgentId, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
const names = { lead: 'The lead', agent: (id: string) => `Agent ${Number(id.slice(-12))}` }

function team(patch: Record<string, unknown> = {}): TeamConfig {
  const members = [{ agent: agent(1), role: 'Bills' }, { agent: agent(2) }]
  const merged = mergeTeamConfig({ mode: 'handoff', lead: { managed: {} }, members, ...patch })
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  return merged.config
}
const tell = (patch: Record<string, unknown> = {}): ModeStory => modeStory(team(patch), names)
const lines = ({ steps }: ModeStory) => steps.map(({ from, to }) => `${from}>${to}`)
const textOf = ({ steps, notes }: ModeStory) =>
  [...steps.map(({ text, when }) => `${text} ${when}`), ...notes].join('\n')

test('the path of the message through each mode', () => {
  expect(lines(tell())).toEqual(['message>lead', 'lead>members', 'members>answer', 'members>lead'])
  expect(lines(tell({ mode: 'dynamic-delegation' }))).toEqual([
    'message>lead',
    'lead>members',
    'members>lead',
    'lead>answer',
  ])
  expect(lines(tell({ mode: 'parallel' }))).toEqual([
    'message>lead',
    'lead>members',
    'members>synthesis',
    'synthesis>answer',
  ])
  expect(lines(tell({ mode: 'plan-execute' }))).toEqual([
    'message>plan',
    'plan>members',
    'members>review',
    'review>plan',
    'review>report',
    'report>answer',
  ])
})

test('in parallel mode, a message that is not rewritten needs no call of the lead before the members', () => {
  const toggles = { auto_member_input: false }
  const story = tell({ mode: 'parallel', toggles })
  expect(lines(story)).toEqual(['message>members', 'members>synthesis', 'synthesis>answer'])
  expect(story.calls).toEqual({ least: 2, most: 2 })
})

test('a promoted lead can answer itself in handoff, and is one of those who can be chosen', () => {
  const story = tell({ lead: { agent: agent(9) } })
  expect(story.members.map(({ key, name }) => `${key} ${name}`)).toEqual([
    'm1 Agent 1',
    'm2 Agent 2',
    'lead Agent 9',
  ])
  expect(tell({ mode: 'parallel', lead: { agent: agent(9) } }).members).toHaveLength(2)
})

test('a handoff to the only one who can answer has no choice and one call', () => {
  const config = { ...team(), members: [{ agent: agent(1), role: null }] }
  const story = modeStory(config, names)
  expect(lines(story)).toEqual(['message>members', 'members>answer'])
  expect(story.calls).toEqual({ least: 1, most: 1 })
})

test('a team without members names no number of them', () => {
  const story = textOf(modeStory({ ...team({ mode: 'parallel' }), members: [] }, names))
  expect(story).toContain('Enough members answered')
  expect(story).not.toContain('of 0')
})

test('the limits and the fallback are in the words', () => {
  expect(textOf(tell({ fallback_member: agent(2) }))).toContain('goes to Agent 2')
  expect(textOf(tell())).toContain('no fallback member is set')
  const limits = { lead_max_steps: 7, max_delegations: 8, max_concurrent_members: 3, max_iterations: 1 }
  expect(textOf(tell({ mode: 'dynamic-delegation', limits }))).toContain(
    'In up to 7 steps, 8 delegations in all, 3 at a time',
  )
  expect(textOf(tell({ mode: 'plan-execute', limits }))).toContain('In up to 1 round, 3 at a time')
  expect(textOf(tell({ mode: 'parallel', min_successful_members: 2 }))).toContain('At least 2 of 2')
})

test('every toggle that a mode reads changes its story', () => {
  for (const mode of MODE_ORDER) {
    for (const toggle of Object.keys(team().toggles)) {
      const [off, on] = [false, true].map((is) => textOf(tell({ mode, toggles: { [toggle]: is } })))
      const isRead = mode !== 'parallel' || toggle !== 'share_member_interactions'
      expect(off !== on, `${mode} ${toggle}`).toBe(isRead)
    }
  }
})

test('every step is drawn once or more, between places that exist, and inside the picture', () => {
  for (const mode of MODE_ORDER) {
    const story = tell({ mode })
    const { lines: drawn, marks, height, stations, members } = storyLayout(story)
    expect(stations.map(({ station }) => station.kind)).toContain('answer')
    expect(members).toHaveLength(2)
    expect(marks.map(({ number }) => number)).toEqual(story.steps.map((_, index) => index + 1))
    for (const step of story.steps) {
      expect(drawn.filter((line) => line.step.id === step.id).length, `${mode} ${step.id}`).toBeGreaterThan(0)
    }
    for (const { tip } of drawn) {
      expect(tip.x).toBeGreaterThanOrEqual(0)
      expect(tip.x).toBeLessThanOrEqual(100)
      expect(tip.y).toBeGreaterThanOrEqual(0)
      expect(tip.y).toBeLessThanOrEqual(height)
    }
  }
})

test('of a run, only the members that it has reached are on lit lines', () => {
  const stations = new Set(['message', 'lead', 'answer'])
  const lit = (members: ReadonlySet<string> | null) =>
    storyLayout(tell(), members && { stations, members }).lines.filter(
      ({ isLit, memberKey }) => isLit && memberKey !== null,
    )
  expect(lit(new Set(['m2'])).every(({ memberKey }) => memberKey === 'm2')).toBe(true)
  expect(lit(new Set(['m2']))).toHaveLength(2)
  expect(lit(new Set())).toEqual([])
  expect(lit(null).every(({ memberKey }) => memberKey === 'm1')).toBe(true)
})

const packets = (stepId: string, patch: Record<string, unknown> = {}) =>
  storyPackets(storyLayout(tell(patch)).lines.filter(({ step }) => step.id === stepId))

test('the message reaches one member unchanged, or as a task from the lead', () => {
  const cargo = (patch: Record<string, unknown>) =>
    packets('handed', patch).map(({ line }) => line.step.cargo)
  expect(cargo({ toggles: { auto_member_input: false } })).toEqual(['message'])
  expect(cargo({ toggles: { auto_member_input: true } })).toEqual(['task'])
  expect(packets('again').map(({ line }) => line.memberKey)).toEqual(['m1'])
})

test('no more members run concurrently than the limit', () => {
  const leave = (atOnce: number) =>
    packets('delegated', { mode: 'dynamic-delegation', limits: { max_concurrent_members: atOnce } }).map(
      ({ startsAt, lasts }) => [startsAt, lasts],
    )
  expect(leave(2)).toEqual([
    [0, 1],
    [0, 1],
  ])
  expect(leave(1)).toEqual([
    [0, 0.5],
    [0.5, 0.5],
  ])
})

test('a member fails in the diagram only if the run continues without it', () => {
  const failed = (least: number) =>
    packets('returned', { mode: 'parallel', min_successful_members: least }).map(({ hasFailed }) => hasFailed)
  expect(failed(1)).toEqual([false, true])
  expect(failed(2)).toEqual([false, false])
})
