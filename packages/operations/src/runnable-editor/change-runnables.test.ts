import { randomUUID } from 'node:crypto'
import { systemClock } from '@troupe/agents/ports'
import { AgentId, type DomainError, newId, UnsavedChangesId } from '@troupe/contract'
import { seedPerson } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BuilderCaller } from '../access/builder-caller.ts'
import {
  createLlmConfiguration,
  deleteLlmConfiguration,
} from '../llm-configurations/change-llm-configuration.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import {
  changeRunnable,
  createRunnable,
  duplicateRunnable,
  type RunnableChanges,
  restoreRunnable,
} from './change-runnables.ts'

let teams: Teams & AsyncDisposable
let parts: RunnableChanges
let ada: BuilderCaller
let bo: BuilderCaller
beforeAll(async () => {
  teams = await openTeams()
  parts = { ...teams.parts, clock: systemClock }
  ada = await member('Ada')
  bo = await member('Bo')
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(() => {
  teams.audited()
})

async function member(name: string): Promise<BuilderCaller> {
  const { organizationId } = teams.scope
  const { userId } = await seedPerson(teams.parts.database, { organizationId, role: 'owner', name })
  const actor = { ...BUILDER, kind: 'user', id: userId } as const
  return { organizationId, projectId: null, role: 'owner', userId, actor }
}
const agent = async (config = {}) =>
  (await createRunnable(parts, ada, 'agent', { name: 'Helper', projectId: null, config })).value
const change = (id: string, body: object, caller = ada) => changeRunnable(parts, caller, 'agent', id, body)
async function refusal(attempt: Promise<unknown>): Promise<DomainError> {
  return (await attempt.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )) as DomainError
}

describe('a creation with an id', () => {
  test('may be repeated, and changes nothing then', async () => {
    const body = { id: newId(AgentId), name: 'Once', projectId: null, config: {} }
    const first = await createRunnable(parts, ada, 'agent', body)
    const again = await createRunnable(parts, ada, 'agent', { ...body, name: 'Twice' })
    expect([first.created, again.created]).toEqual([true, false])
    expect(again.value).toEqual(first.value)
    expect(teams.audited().map(({ action }) => action)).toEqual(['agent.created'])
  })

  test('is refused if another organization has the id', async () => {
    const id = newId(AgentId)
    await createRunnable(parts, ada, 'agent', { id, name: 'Ours', projectId: null, config: {} })
    const theirs = { ...ada, organizationId: teams.otherScope.organizationId, userId: null }
    const attempt = createRunnable(parts, theirs, 'agent', {
      id,
      name: 'Theirs',
      projectId: null,
      config: {},
    })
    expect((await refusal(attempt)).code).toBe('id_taken')
  })
})

describe('a change', () => {
  test('of a version that was changed meanwhile is refused, and names the current one with its author', async () => {
    const { agentId, versionId } = await agent()
    const current = await change(agentId, { baseVersionId: versionId, name: 'By Bo' }, bo)
    const refused = await refusal(change(agentId, { baseVersionId: versionId, name: 'By Ada' }))
    expect(refused).toMatchObject({
      code: 'version_conflict',
      current: { versionId: current.versionId, number: 2, changedBy: { kind: 'user', name: 'Bo' } },
    })
    expect(
      (await change(agentId, { baseVersionId: current.versionId.toUpperCase(), name: 'Both' })).name,
    ).toBe('Both')
  })

  test('by a member names its version; the operator may replace any', async () => {
    const { agentId } = await agent()
    expect((await refusal(change(agentId, { name: 'New' }))).code).toBe('validation_error')
    const operator = { ...ada, userId: null, actor: { ...BUILDER, kind: 'operator', id: null } as const }
    expect((await change(agentId, { name: 'New' }, operator)).name).toBe('New')
  })

  test('of two concurrent ones, one is stored', async () => {
    const { agentId, versionId: baseVersionId } = await agent()
    const attempts = await Promise.allSettled([
      change(agentId, { baseVersionId, name: 'By Ada' }),
      change(agentId, { baseVersionId, name: 'By Bo' }, bo),
    ])
    expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('keeps unnamed settings, unless it replaces all', async () => {
    const { agentId, versionId } = await agent({ instructions: 'Be kind.', execution: { max_iterations: 4 } })
    const merged = await change(agentId, { baseVersionId: versionId, config: { instructions: 'Be brief.' } })
    expect(merged.config).toMatchObject({ instructions: 'Be brief.', execution: { max_iterations: 4 } })
    const body = { baseVersionId: merged.versionId, config: { instructions: 'Be bold.' }, replace: true }
    const replaced = await change(agentId, body)
    expect(replaced.config.instructions).toBe('Be bold.')
    expect(replaced.config).not.toMatchObject({ execution: { max_iterations: 4 } })
  })
})

describe('the unsaved changes of a save', () => {
  const unsaved = (caller: BuilderCaller, agentId: string) => {
    const userId = caller.userId ?? expect.fail('it is no person')
    return { organizationId: caller.organizationId, kind: 'agent' as const, thingId: agentId, userId }
  }
  async function keep(caller: BuilderCaller, agentId: string, mine: object): Promise<UnsavedChangesId> {
    const changeId = newId(UnsavedChangesId)
    const write = {
      ...{ changeId, replaces: null, isOwnReplaced: false, edit: { mine, from: {} } },
      ...{ bytes: 10, mostBytes: 1000 },
    }
    await teams.parts.database.transaction((tx) =>
      tx.write.unsavedChanges.put({ ...unsaved(caller, agentId), ...write }),
    )
    return changeId
  }
  const stored = (caller: BuilderCaller, agentId: string) =>
    teams.parts.database.read.unsavedChanges.find(unsaved(caller, agentId))

  test('end with it, with those of a colleague that have exactly its content', async () => {
    const { agentId, versionId, config } = await agent()
    const mine = { name: 'Saved', description: null, config }
    const changeId = await keep(ada, agentId, mine)
    await keep(bo, agentId, mine)
    const settledAs = randomUUID()
    const ended = { changeId: changeId.toUpperCase(), settledAs: settledAs.toUpperCase() }
    await change(agentId, { baseVersionId: versionId, ...mine, replace: true, savedChanges: ended })
    expect(await stored(ada, agentId)).toMatchObject({ changeId: settledAs, edit: null })
    expect(await stored(bo, agentId)).toMatchObject({ edit: null })
  })

  test('stay if newer ones are stored, if the save is refused, and if they are of a colleague with other content', async () => {
    const { agentId, versionId, config } = await agent()
    const mine = { name: 'Saved', description: null, config }
    const changeId = await keep(ada, agentId, mine)
    await keep(bo, agentId, { ...mine, name: 'Of Bo' })
    const save = { baseVersionId: versionId, ...mine, replace: true }
    const refused = change(agentId, {
      ...save,
      ...{ baseVersionId: randomUUID(), savedChanges: { changeId, settledAs: randomUUID() } },
    })
    expect((await refusal(refused)).code).toBe('version_conflict')
    expect(await stored(ada, agentId)).toMatchObject({ changeId })
    await change(agentId, { ...save, savedChanges: { changeId: randomUUID(), settledAs: randomUUID() } })
    expect(await stored(ada, agentId)).toMatchObject({ changeId, edit: { mine } })
    expect(await stored(bo, agentId)).toMatchObject({ edit: { mine: { name: 'Of Bo' } } })
  })
})

describe('restoring a version', () => {
  test('makes a new one with its name, description and configuration', async () => {
    const first = await agent({ instructions: 'First.' })
    const path = { kind: 'agent', id: first.agentId } as const
    const second = await change(first.agentId, {
      ...{ baseVersionId: first.versionId, name: 'Second', config: { instructions: 'Second.' } },
    })
    teams.audited()
    const stale = restoreRunnable(
      parts,
      ada,
      { ...path, versionId: first.versionId },
      { baseVersionId: first.versionId },
    )
    expect((await refusal(stale)).code).toBe('version_conflict')
    const restored = await restoreRunnable(
      parts,
      ada,
      { ...path, versionId: first.versionId.toUpperCase() },
      { baseVersionId: second.versionId },
    )
    expect(restored).toMatchObject({ name: 'Helper', versionNumber: 3, config: { instructions: 'First.' } })
    expect(teams.audited().map(({ action }) => action)).toEqual(['agent.restored'])
  })

  test('of another agent is refused', async () => {
    const [one, other] = [await agent(), await agent()]
    const attempt = restoreRunnable(
      parts,
      ada,
      { kind: 'agent', id: one.agentId, versionId: other.versionId },
      { baseVersionId: one.versionId },
    )
    expect((await refusal(attempt)).code).toBe('version_not_found')
  })

  test('is refused if it names an LLM configuration that was deleted since', async () => {
    const models = { ...teams.parts, secretBox: teams.parts.box }
    const made = await createLlmConfiguration(models, ada, {
      ...{ slug: 'brief', name: 'Brief', providerId: 'sandbox', models: [{ modelId: 'm' }] },
    })
    if (!('llmConfigId' in made)) expect.fail('it existed before')
    const first = await agent({ model: { primary: { llm_config_id: made.llmConfigId, model_id: 'm' } } })
    const remove = () => deleteLlmConfiguration(models, ada, made.llmConfigId)
    expect((await refusal(remove())).code).toBe('llm_configuration_in_use')
    const second = await change(first.agentId, {
      ...{ baseVersionId: first.versionId, config: { model: { primary: { llm_config_id: null } } } },
    })
    await remove()
    const attempt = restoreRunnable(
      parts,
      ada,
      { kind: 'agent', id: first.agentId, versionId: first.versionId },
      { baseVersionId: second.versionId },
    )
    expect((await refusal(attempt)).code).toBe('llm_configuration_not_found')
  })
})

test('a copy is a draft in the project of the original, with its own name', async () => {
  const original = (
    await createRunnable(parts, ada, 'agent', {
      ...{ name: 'Helper', projectId: teams.project('one'), config: { instructions: 'Help.' } },
    })
  ).value
  const copy = await duplicateRunnable(parts, ada, 'agent', original.agentId, {})
  expect(copy).toMatchObject({
    projectId: original.projectId,
    status: 'draft',
    config: { instructions: 'Help.' },
  })
  expect(copy.name).not.toBe(original.name)
  expect(copy.agentId).not.toBe(original.agentId)
})
