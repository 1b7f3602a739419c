import { AgentId, checkedId, mergeTeamConfig, type TeamConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import { ignoredSettings } from './ignored-settings.ts'
import { MODE_SETTINGS, teamInMode } from './mode-settings.ts'
import { isTeamConfig, MODE_ORDER } from './team-config.ts'

const agent = (n: number) => checkedId(AgentId, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
const members = [{ agent: agent(1) }, { agent: agent(2) }]

function team(patch: Record<string, unknown> = {}): TeamConfig {
  const merged = mergeTeamConfig({ mode: 'handoff', lead: { managed: {} }, members, ...patch })
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  return merged.config
}

test('every change of the mode results in a valid configuration', () => {
  const saved = team({ fallback_member: agent(2), limits: { max_iterations: 3 } })
  for (const from of MODE_ORDER) {
    for (const to of MODE_ORDER) {
      const changed = teamInMode(teamInMode(saved, from, null), to, saved.fallback_member)
      expect(mergeTeamConfig({ ...changed }), `${from} to ${to}`).toMatchObject({ ok: true })
      expect(changed.limits.max_iterations).toBe(3)
    }
  }
})

test('a fallback member is dropped with handoff and restored with it, unless it has left the team', () => {
  const saved = team({ fallback_member: agent(2) })
  const parallel = teamInMode(saved, 'parallel', null)
  expect(parallel.fallback_member).toBeNull()
  expect(teamInMode(parallel, 'handoff', agent(2)).fallback_member).toBe(agent(2))
  const smaller = { ...parallel, members: [{ agent: agent(1), role: null }] }
  expect(teamInMode(smaller, 'handoff', agent(2)).fallback_member).toBeNull()
})

test('unused settings are listed, and defaults are not', () => {
  expect(ignoredSettings(team())).toEqual([])
  const set = team({
    mode: 'parallel',
    lead_may_answer_directly: false,
    min_successful_members: 2,
    toggles: { share_member_interactions: true },
    limits: { max_iterations: 3, max_concurrent_members: 2 },
  })
  expect(ignoredSettings(set)).toEqual([
    'lead_may_answer_directly',
    'toggles.share_member_interactions',
    'limits.max_iterations',
    'limits.max_concurrent_members',
  ])
  expect(ignoredSettings(teamInMode(set, 'plan-execute', null))).toEqual([
    'lead_may_answer_directly',
    'min_successful_members',
  ])
})

test('every setting of a mode is a setting of the contract', () => {
  const config: unknown = team()
  for (const path of MODE_SETTINGS) {
    const value = path.split('.').reduce<unknown>((holder, key) => Object(holder)[key], config)
    expect(value, path).toBeDefined()
  }
})

test('a draft that lacks the editor’s required fields is not a team', () => {
  expect(isTeamConfig(team())).toBe(true)
  expect(isTeamConfig(team({ lead: { agent: agent(9) } }))).toBe(true)
  for (const broken of [
    null,
    {},
    { ...team(), mode: 'swarm' },
    { ...team(), members: [{}] },
    { ...team(), lead: {} },
  ]) {
    expect(isTeamConfig(broken)).toBe(false)
  }
})
