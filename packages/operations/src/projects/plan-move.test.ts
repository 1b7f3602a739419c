import { AgentId, newId, ProjectId } from '@troupe/contract'
import type { MovableKind } from '@troupe/contract/builder'
import type { OwnedThingRow } from '@troupe/storage'
import { expect, test } from 'vitest'
import { planMove } from './plan-move.ts'

type AskedMove = Parameters<typeof planMove>[0]

const SHOP = newId(ProjectId)
const LAB = newId(ProjectId)
const nameOf = (id: ProjectId | null) => (id === null ? null : id === SHOP ? 'Shop' : 'Lab')
const thing = (kind: MovableKind, id: string, projectId: ProjectId | null): OwnedThingRow => ({
  ...{ kind, id, projectId },
  name: id,
})
const planned = (move: Partial<AskedMove> & Pick<AskedMove, 'things' | 'target'>) =>
  planMove({ nameOf, uses: [], slugUses: [], skills: [], ...move })
const problemsOf = (move: Parameters<typeof planned>[0]) => planned(move).map(({ problems }) => problems)

const WRITER = newId(AgentId)
const agent = { ...thing('agent', 'Writer', SHOP), id: WRITER }
const base = thing('knowledge_base', 'Manual', SHOP)
const team = thing('team', 'Desk', SHOP)

test('the resources that a resource uses, and its users, must be visible to each other after the move', () => {
  const uses = [
    { user: agent, used: base },
    { user: team, used: agent },
  ]
  expect(problemsOf({ things: [agent], target: LAB, uses })).toEqual([
    [
      'uses the knowledge base “Manual” of the project “Shop”',
      'is used by the team “Desk” of the project “Shop”',
    ],
  ])
  // Resources of the organization level are used by every project, and use resources of every project.
  expect(problemsOf({ things: [agent], target: null, uses })).toEqual([[]])
  expect(problemsOf({ things: [base], target: null, uses })).toEqual([[]])
})

test('resources that use each other are moved together', () => {
  const uses = [
    { user: agent, used: base },
    { user: team, used: agent },
  ]
  const [first, second, third] = planned({ things: [agent, base, team], target: LAB, uses })
  expect([first, second, third].map((one) => one?.problems)).toEqual([[], [], []])
  expect(second?.usedBy).toEqual([agent])
})

test('a trunk of a project needs agents of the same project, even where other resources may use agents of other levels', () => {
  const trunk = thing('phone_trunk', 'Carrier', null)
  const everywhere = thing('agent', 'Caller', null)
  const uses = [{ user: trunk, used: everywhere }]
  expect(problemsOf({ things: [trunk], target: SHOP, uses })).toEqual([
    ['uses the agent “Caller” of the organization'],
  ])
  expect(problemsOf({ things: [trunk, everywhere], target: SHOP, uses })).toEqual([[], []])
})

test('a slug means the same skill after the move', () => {
  const skill = thing('skill', 'tone', SHOP)
  const common = { ...thing('skill', 'tone', null), id: 'common' }
  const slugUses = [{ agentId: WRITER, name: agent.name, projectId: SHOP, slug: 'tone' }]
  const skills = [skill]
  expect(problemsOf({ things: [agent], target: LAB, slugUses, skills })).toEqual([
    ['names the skill “tone” by its slug, which would not be found there'],
  ])
  expect(problemsOf({ things: [agent], target: LAB, slugUses, skills: [skill, common] })).toEqual([
    ['names the skill “tone” by its slug, which would be another one there'],
  ])
  expect(problemsOf({ things: [skill], target: LAB, slugUses, skills })).toEqual([
    ['is named by its slug in the agent “Writer” of the project “Shop”, which would lose it'],
  ])
  expect(problemsOf({ things: [skill], target: null, slugUses, skills })).toEqual([[]])
  expect(problemsOf({ things: [agent, skill], target: LAB, slugUses, skills })).toEqual([[], []])
})

test('a project has one skill of a name, even when two are moved there', () => {
  const [one, two] = [thing('skill', 'tone', SHOP), { ...thing('skill', 'tone', LAB), id: 'other' }]
  expect(problemsOf({ things: [one], target: LAB, skills: [one, two] })).toEqual([
    ['has the name of an existing skill there'],
  ])
  expect(problemsOf({ things: [one, two], target: null, skills: [one, two] })).toEqual([
    ['has the name of an existing skill there'],
    ['has the name of an existing skill there'],
  ])
})

test('many connections are counted, and the obstacles to the move come first', () => {
  const users = Array.from({ length: 15 }, (_, at) => thing('agent', `Agent ${at}`, at === 14 ? LAB : SHOP))
  const uses = users.map((user) => ({ user, used: base }))
  const [one] = planned({ things: [base], target: LAB, uses })
  expect(one?.problems).toHaveLength(11)
  expect(one?.problems.at(-1)).toBe('has 4 more such connections')
  expect(one?.usedBy.at(-1)?.name).toBe('Agent 14')
})
