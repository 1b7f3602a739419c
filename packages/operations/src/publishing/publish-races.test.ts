import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { applyBundle } from '@troupe/bundles'
import { openBundleParts, TEST_ACTOR } from '@troupe/bundles/testing/bundle-parts'
import {
  type CreateTeamBody,
  checkedId,
  type DomainError,
  type IdKind,
  isUuid,
  newId,
  TestCaseId,
  WorkflowId,
} from '@troupe/contract'
import type { Database } from '@troupe/storage'
import { describe, expect, test } from 'vitest'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { createAgent } from '../agents/create-agent.ts'
import { createTeam } from '../teams/create-team.ts'
import { deleteTeam } from '../teams/delete-team.ts'
import type { Teams } from '../teams/testing/open-teams.ts'
import { twoProcesses } from '../teams/testing/two-processes.ts'
import { updateTestCase } from '../test-cases/change-test-cases.ts'
import { getWebhook } from '../triggers/get-webhook.ts'
import { rotateSigningSecret } from '../triggers/rotate-signing-secret.ts'
import { rotateWebhookToken } from '../triggers/webhook.ts'
import { createWorkflow } from '../workflows/create-workflow.ts'
import { graph, withAgent } from './testing/graphs.ts'
import { publishing } from './testing/published-workflows.ts'
import { unpublishWorkflow } from './unpublish-workflow.ts'

const RACES = 12

/** A bundle that sets the status of agents of the tests' organization. */
const bundle = (agents: readonly string[], status: 'active' | 'archived') =>
  `apiVersion: troupe/v1
organizations: [{ slug: acme, name: Acme, agents: [${agents.map((slug) => `{ slug: ${slug}, name: R, status: ${status} }`).join(', ')}] }]`

async function setStatus(database: Database, agents: readonly string[], status: 'active' | 'archived') {
  const parts = await openBundleParts(database)
  return applyBundle(parts, { text: bundle(agents, status), variables: {}, actor: TEST_ACTOR })
}

/** Workflow operations of the tests, over the connections of one process. */
const workflowsOf = (teams: Teams, database: Database) =>
  publishing({ ...teams, parts: { ...teams.parts, database } })

/** A database that reports when one of its transactions is about to wait for an organization, or for a workflow. */
function telling(
  database: Database,
  asked: () => void,
  waitsFor: 'organization' | 'workflow' = 'organization',
): Database {
  const told = <T>(locked: Promise<T>, kind: typeof waitsFor) => {
    if (kind === waitsFor) asked()
    return locked
  }
  return {
    ...database,
    transaction: (work) =>
      database.transaction(({ read, write, ...rest }) => {
        const organizations: typeof write.organizations = {
          ...write.organizations,
          lock: (id) => told(write.organizations.lock(id), 'organization'),
          hold: (id) => told(write.organizations.hold(id), 'organization'),
        }
        const workflows: typeof write.workflows = {
          ...write.workflows,
          lock: (...of) => told(write.workflows.lock(...of), 'workflow'),
        }
        return work({ ...rest, read, write: { ...write, organizations, workflows } })
      }),
  }
}

/** A database whose transactions pause before their commit while other work is done. */
function before(database: Database, isCommitted: () => Promise<unknown>): Database {
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        await isCommitted()
        return result
      }),
  }
}

const messageOf = (refused: unknown) => (refused as DomainError).errors?.[0]?.message ?? String(refused)

describe('publishing a workflow while its agent is being archived', () => {
  test('refuses one of the two, from two processes on PostgreSQL', async ({ skip }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const { organizationId } = teams.scope
    const agents = Array.from({ length: RACES }, (_, n) => `r${n}`)
    await setStatus(one, agents, 'active')
    const ids = new Map((await one.read.agents.list(organizationId)).map(({ slug, id }) => [slug, id]))
    for (const [n, slug] of agents.entries()) {
      const agentId = ids.get(slug) ?? ''
      expect(isUuid(agentId)).toBe(true)
      const [archiver, publisher] = n % 2 ? [one, two] : [two, one]
      const workflows = workflowsOf(teams, publisher)
      const id = await workflows.create(withAgent(agentId))
      const [archived, published] = await Promise.allSettled([
        setStatus(archiver, [slug], 'archived'),
        workflows.publish(id),
      ])
      expect([archived.status, published.status].toSorted()).toEqual(['fulfilled', 'rejected'])
      const refused = archived.status === 'rejected' ? archived : (published as PromiseRejectedResult)
      expect(messageOf(refused.reason)).toMatch(
        archived.status === 'rejected'
          ? /must not be archived: the agent is used by the published workflow/
          : /the agent is archived/,
      )
      // A published version never names an archived agent.
      const status = (await one.read.agents.byId(organizationId, agentId as never))?.status
      const isPublished = (await one.read.workflows.byId(organizationId, id as never))?.activeDeployment
      expect(status === 'archived' && isPublished !== null).toBe(false)
    }
  })

  test('waits until the agent is archived, and is then refused', async ({ skip }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const { organizationId } = teams.scope
    const id = await workflowsOf(teams, one).create(withAgent(teams.agent('b')))
    const asked = Promise.withResolvers<void>()
    const waiting = workflowsOf(teams, telling(two, asked.resolve))
    let published: Promise<unknown> = Promise.resolve()
    await one.transaction(async ({ write }) => {
      await write.organizations.lock(organizationId)
      const agent = await write.agents.lock(organizationId, teams.agent('b'))
      await write.agents.update({ ...agent!, status: 'archived' }, TEST_ACTOR)
      published = waiting.publish(id).catch(messageOf)
      await asked.promise
    })
    expect(await published).toMatch(/the agent is archived/)
  })

  test('makes the archiving wait until the workflow is published, which is then refused', async ({
    skip,
  }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const id = await workflowsOf(teams, one).create(withAgent(teams.agent('b')), null, 'Desk')
    const asked = Promise.withResolvers<void>()
    let archived: Promise<unknown> = Promise.resolve()
    const slow = before(one, () => {
      archived = setStatus(telling(two, asked.resolve), ['b'], 'archived').catch(messageOf)
      return Promise.race([asked.promise, archived])
    })
    await workflowsOf(teams, slow).publish(id)
    expect(await archived).toMatch(
      /^must not be archived: the agent is used by the published workflow "Desk"/,
    )
  })
})

describe('creations and publishes of one organization', () => {
  test('do not wait for each other, and a deletion waits for them', async ({ skip }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const { scope } = teams
    const partsOf = (database: Database) => ({ ...teams.parts, database })
    const ids = [await workflowsOf(teams, one).create(graph()), await workflowsOf(teams, one).create(graph())]
    const members = [teams.agent('a'), teams.agent('b')].map((agent) => ({ agent }))
    const team = {
      name: 'Desk',
      config: { mode: 'handoff', lead: { managed: {} }, members },
    } as CreateTeamBody
    const config = {
      tools: [{ type: 'agent', name: 'b', description: 'Helps.', agent_id: teams.agent('b') }],
    }
    const works: Record<string, (database: Database, n: 0 | 1) => Promise<unknown>> = {
      'an agent': (database) => createAgent(partsOf(database), scope, TEST_ACTOR, { name: 'Ada', config }),
      'a team': (database) => createTeam(partsOf(database), scope, TEST_ACTOR, team),
      'a workflow': (database) => workflowsOf(teams, database).create(graph()),
      'a publish': (database, n) => workflowsOf(teams, database).publish(ids[n] ?? ''),
    }
    for (const [first, work] of Object.entries(works)) {
      for (const [second, other] of Object.entries(works)) {
        let outcome: unknown = null
        const slow = before(one, async () => {
          const done = other(two, 1).then(() => 'done')
          outcome = await Promise.race([done, pause(5_000, 'waits')])
        })
        await work(slow, 0)
        expect([first, second, outcome]).toEqual([first, second, 'done'])
      }
      const { teamId } = await createTeam(partsOf(one), scope, TEST_ACTOR, team)
      let deleted: Promise<unknown> = Promise.resolve()
      let outcome: unknown = null
      const slow = before(one, async () => {
        deleted = deleteTeam(partsOf(two), scope, TEST_ACTOR, teamId)
        outcome = await Promise.race([deleted, pause(250, 'waits')])
      })
      await work(slow, 0)
      expect([first, outcome]).toEqual([first, 'waits'])
      await deleted
    }
  }, 60_000)
})

test('an unpublish, a publish of the same draft and a save that wait for a publish see its deployment', async ({
  skip,
}) => {
  await using processes = await twoProcesses()
  if (!processes) return skip()
  const { one, two, teams } = processes
  const { scope, parts } = teams
  const during = async (
    other: (id: string) => Promise<unknown>,
  ): Promise<{ id: string; result: unknown }> => {
    const id = await workflowsOf(teams, one).create(graph())
    let waiting: Promise<unknown> = Promise.resolve()
    const slow = before(one, async () => {
      waiting = other(id)
      await Promise.race([waiting, pause(250)])
    })
    await workflowsOf(teams, slow).publish(id)
    return { id, result: await waiting }
  }
  const stored = (id: string) => one.read.workflows.byId(scope.organizationId, checkedId(WorkflowId, id))
  const unpublished = await during((id) =>
    unpublishWorkflow({ ...parts, database: two }, scope, TEST_ACTOR, id),
  )
  expect(await stored(unpublished.id)).toMatchObject({ activeDeployment: null })
  const again = await during((id) => workflowsOf(teams, two).publish(id))
  expect(await stored(again.id)).toMatchObject({ versionNumber: 1 })
  const locked = await during((id) =>
    two.transaction(({ write }) =>
      write.workflows.lockDraft(scope.organizationId, checkedId(WorkflowId, id), null, null),
    ),
  )
  const { activeDeployment } = (await stored(locked.id)) ?? {}
  expect(locked.result).toMatchObject({ activeDeployment, isDraftPublished: true, versionNumber: 1 })
})

test('of two creations of different kinds under one id at the same time, the second is refused', async ({
  skip,
}) => {
  await using processes = await twoProcesses()
  if (!processes) return skip()
  const { one, two, teams } = processes
  const { scope } = teams
  const members = [teams.agent('a'), teams.agent('b')].map((agent) => ({ agent }))
  const team = { name: 'Desk', config: { mode: 'handoff', lead: { managed: {} }, members } } as CreateTeamBody
  type Create = (database: Database, id: string) => Promise<unknown>
  const partsOf = (database: Database, id: string) => ({
    ...teams.parts,
    database,
    newId: <Kind extends string>(kind: IdKind<Kind>) => checkedId(kind, id),
  })
  const kinds: Record<string, Create> = {
    agent: (database, id) =>
      createAgent(partsOf(database, id), scope, TEST_ACTOR, { name: 'Ada', config: {} }),
    team: (database, id) => createTeam(partsOf(database, id), scope, TEST_ACTOR, team),
    workflow: (database, id) =>
      createWorkflow(partsOf(database, id), scope, TEST_ACTOR, {
        name: 'Desk',
        id: checkedId(WorkflowId, id),
      }),
  }
  for (const [first, create] of Object.entries(kinds)) {
    for (const [second, createOther] of Object.entries(kinds)) {
      if (first === second) continue
      const id = randomUUID()
      let other: Promise<unknown> = Promise.resolve()
      const slow = before(one, async () => {
        other = createOther(two, id).then(
          () => 'created',
          ({ code }: DomainError) => code,
        )
        await Promise.race([other, pause(250)])
      })
      await create(slow, id)
      expect([first, second, await other]).toEqual([first, second, 'id_taken'])
    }
  }
})

describe('publishing a workflow while one of its test cases becomes blocking', () => {
  /** A workflow with a case that has never run. */
  const withCase = async (teams: Teams, database: Database) => {
    const { organizationId } = teams.scope
    const workflowId = await workflowsOf(teams, database).create(withAgent(teams.agent('b')))
    const id: TestCaseId = newId(TestCaseId)
    await database.transaction(({ write }) =>
      write.testCases.insert({
        ...{
          id,
          organizationId,
          workflowId: checkedId(WorkflowId, workflowId),
          name: 'Big order',
          blocking: false,
          version: 1,
        },
        ...{ triggerNodeId: null, payload: {}, mocks: [], secretNames: [], fromRunId: null },
        expectation: { status: 'completed', output: null },
      }),
    )
    const block = (by: Database) => {
      const parts = {
        database: by,
        graphs: { compiled: () => Promise.reject(new Error('no graph is read')) },
        newId,
      }
      const caller = { ...teams.scope, projectId: null, actor: TEST_ACTOR } as BuilderCaller
      const path = { workflowId, testCaseId: id }
      return updateTestCase(parts, caller, path, { version: 1, blocking: true })
    }
    const isPublished = async () =>
      (await database.read.workflows.byId(organizationId, checkedId(WorkflowId, workflowId)))
        ?.activeDeployment !== null
    return { workflowId, block, isPublished }
  }

  test('waits until the case is blocking, and is then refused', async ({ skip }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const { workflowId, block, isPublished } = await withCase(teams, one)
    const asked = Promise.withResolvers<void>()
    const waiting = workflowsOf(teams, telling(two, asked.resolve, 'workflow'))
    let published: Promise<unknown> = Promise.resolve()
    await block(
      before(one, () => {
        published = waiting.publish(workflowId).catch((error: DomainError) => error.code)
        return Promise.race([asked.promise, published])
      }),
    )
    expect(await published).toBe('tests_not_passed')
    expect(await isPublished()).toBe(false)
  })

  test('makes the change of the case wait until it is published', async ({ skip }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const { workflowId, block, isPublished } = await withCase(teams, one)
    const asked = Promise.withResolvers<void>()
    let blocked: Promise<unknown> = Promise.resolve()
    const slow = before(one, () => {
      blocked = block(telling(two, asked.resolve, 'workflow')).then(async (changed) => ({
        blocking: changed.blocking,
        isPublished: await isPublished(),
      }))
      return Promise.race([asked.promise, blocked])
    })
    await workflowsOf(teams, slow).publish(workflowId)
    // The case changed after the version was published, so no publish missed it.
    expect(await blocked).toEqual({ blocking: true, isPublished: true })
  })
})

describe('replacing secrets of webhooks at the same time', () => {
  const webhooksOf = (teams: Teams, database: Database) => {
    const parts = { ...teams.parts, database, now: Date.now, publicUrl: 'https://one.example' }
    const caller = { ...teams.scope, projectId: null, actor: TEST_ACTOR } as BuilderCaller
    return {
      view: (id: string) => getWebhook(parts, caller, id),
      rotateToken: (id: string) => rotateWebhookToken(parts, caller, id),
      rotateSecret: (id: string) => rotateSigningSecret(parts, caller, TEST_ACTOR, id),
    }
  }
  const published = async (teams: Teams, database: Database) => {
    const workflows = workflowsOf(teams, database)
    const hook = { id: 'hook', type: 'http-request', name: 'Hook', config: {} }
    const id = await workflows.create({ nodes: [hook], edges: [] })
    await workflows.publish(id)
    return id
  }

  test('keeps a new address and a new secret of one workflow, from two processes on PostgreSQL', async ({
    skip,
  }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const id = await published(teams, one)
    for (let race = 0; race < RACES; race += 1) {
      const former = await webhooksOf(teams, one).view(id)
      await Promise.all([webhooksOf(teams, one).rotateToken(id), webhooksOf(teams, two).rotateSecret(id)])
      const after = await webhooksOf(teams, two).view(id)
      expect(after.url).not.toBe(former.url)
      expect(after.signingSecret).not.toBe(former.signingSecret)
    }
  })

  test('does not make the secrets of another workflow wait', async ({ skip }) => {
    await using processes = await twoProcesses()
    if (!processes) return skip()
    const { one, two, teams } = processes
    const [id, other] = [await published(teams, one), await published(teams, one)]
    const former = await webhooksOf(teams, one).view(other)
    const ended: string[] = []
    let others: Promise<unknown> = Promise.resolve()
    const slow = before(one, async () => {
      others = webhooksOf(teams, two)
        .rotateToken(other)
        .then(() => ended.push('the other'))
      await Promise.race([others, pause(10_000)])
      ended.push('this one')
    })
    await webhooksOf(teams, slow).rotateToken(id)
    await others
    expect(ended).toEqual(['the other', 'this one'])
    expect((await webhooksOf(teams, one).view(other)).url).not.toBe(former.url)
  })
})
