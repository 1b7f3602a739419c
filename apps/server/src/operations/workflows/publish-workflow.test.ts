import { randomUUID } from 'node:crypto'
import type { DomainError } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requireUnused } from '../agents/require-unused.ts'
import { createTeam } from '../teams/create-team.ts'
import { deleteTeam } from '../teams/delete-team.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { createWorkflow } from './create-workflow.ts'
import { deleteWorkflow } from './delete-workflow.ts'
import { listWorkflowVersions } from './list-workflow-versions.ts'
import { publishWorkflow } from './publish-workflow.ts'
import { restoreWorkflowVersion } from './restore-workflow-version.ts'
import { graph, node, withAgent } from './testing/graphs.ts'
import { unpublishWorkflow } from './unpublish-workflow.ts'
import { updateWorkflow } from './update-workflow.ts'
import { validateWorkflow } from './validate-workflow.ts'

let teams: Teams & AsyncDisposable
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(() => {
  teams.audited()
})

async function create(draft: object, projectId: string | null = null, name = 'Triage'): Promise<string> {
  const body = { name, projectId, draft: draft as Record<string, unknown> }
  const { workflowId } = await createWorkflow(teams.parts, teams.scope, BUILDER, body)
  teams.audited()
  teams.parts.told.length = 0
  return workflowId
}
const publish = (id: string, body = {}, scope = teams.scope) =>
  publishWorkflow(teams.parts, scope, BUILDER, id, body)
const unpublish = (id: string) => unpublishWorkflow(teams.parts, teams.scope, BUILDER, id)
const save = (id: string, draft: object, draftRevision: number) =>
  updateWorkflow(teams.parts, teams.scope, BUILDER, id, {
    draft: draft as Record<string, unknown>,
    draftRevision,
  })
const versions = (id: string, scope = teams.scope) =>
  listWorkflowVersions(teams.parts.database.read, scope, id)
/** Why an agent cannot be put away. */
const use = (slug: string) =>
  requireUnused(teams.parts.database.read, teams.scope.organizationId, teams.agent(slug)).then(
    () => '',
    ({ message }: DomainError) => message,
  )
async function refusal(attempt: Promise<unknown>) {
  const { code, errors } = (await attempt.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )) as DomainError
  return [code, ...(errors ?? []).map(({ path, message }) => `${path} ${message}`)]
}
const newTeam = (slug: string, projectId: string | null = null) =>
  createTeam(teams.parts, teams.scope, BUILDER, {
    name: 'Desk',
    projectId,
    config: { mode: 'handoff', lead: { agent: teams.agent(slug) }, members: [{ agent: teams.agent('b') }] },
  })

describe('publishing a workflow', () => {
  test('makes its draft version 1, with an audit row, and tells this process', async () => {
    const id = await create(withAgent(teams.agent('a')))
    const { workflow, findings } = await publish(id)
    expect(workflow).toMatchObject({
      workflowId: id,
      versionNumber: 1,
      deployment: { deploymentId: expect.anything() },
    })
    expect(findings).toEqual([])
    expect(teams.audited()).toMatchObject([
      {
        action: 'workflow.published',
        before: { published: false, versionNumber: 0 },
        after: { published: true, versionNumber: 1, draft: { nodes: [], edges: [] } },
      },
    ])
    expect(teams.parts.told).toEqual([teams.scope.organizationId])
    expect((await versions(id)).data).toMatchObject([{ number: 1, active: true, createdBy: { id: 'key-1' } }])
  })

  test('again without a change writes nothing, and after one makes the next version', async () => {
    const id = await create(withAgent(teams.agent('a')))
    const first = await publish(id)
    teams.audited()
    expect(await publish(id)).toEqual(first)
    expect(teams.audited()).toEqual([])
    await save(id, withAgent(teams.agent('a'), 'Again'), 1)
    expect((await publish(id)).workflow.versionNumber).toBe(2)
    expect((await versions(id)).data.map(({ number, active }) => [number, active])).toEqual([
      [2, true],
      [1, false],
    ])
  })

  test('of a draft that is not the one that was seen is refused', async () => {
    const id = await create(graph())
    expect(await refusal(publish(id, { draftRevision: 2 }))).toEqual(['draft_conflict'])
    expect((await publish(id, { draftRevision: 1 })).workflow.versionNumber).toBe(1)
  })

  test('at the same time makes one version', async () => {
    const id = await create(graph())
    const published = await Promise.all([publish(id), publish(id), publish(id)])
    expect(published.map(({ workflow }) => workflow.versionNumber)).toEqual([1, 1, 1])
    expect(teams.audited()).toHaveLength(1)
  })

  test('is refused with everything that blocks it, and then writes nothing', async () => {
    const draft = {
      nodes: [
        node('start', 'if-else', { conditions: [] }),
        node('end', 'ai-agent', { agentId: randomUUID() }),
        { ...node('end2', 'nonsense'), name: 'end' },
      ],
      edges: [{ id: 'e', source: 'start', sourceHandle: 'maybe', target: 'end' }],
    }
    const id = await create(draft)
    const [code, ...errors] = await refusal(publish(id))
    expect(code).toBe('validation_error')
    expect(errors).toEqual([
      'nodes.2.name another node has the name "end"',
      'nodes.2.type is not a node type: nonsense',
      'nodes must have a trigger',
      expect.stringContaining('edges.0.sourceHandle'),
      expect.stringContaining('nodes.0.config.conditions'),
      'nodes.1.config.message is required',
      expect.stringMatching(/^nodes.1.config.agentId there is no such agent: /),
    ])
    expect((await versions(id)).total).toBe(0)
    expect(teams.audited()).toEqual([])
    const findings = await validateWorkflow(teams.parts.database.read, teams.scope, id)
    expect(findings.filter(({ severity }) => severity === 'block')).toHaveLength(errors.length)
    expect(findings[0]).toMatchObject({ code: 'duplicate_node_name', nodeId: 'end2' })
  })

  test('tells what fails or surprises, and publishes all the same', async () => {
    const id = await create(
      graph(
        [
          node('answer', 'ai-agent', { agentId: teams.agent('b'), message: '{{ upstream.nobody.output }}' }),
          node('lost', 'edit-fields', { rows: [] }),
        ],
        ['start > answer'],
      ),
    )
    const { workflow, findings } = await publish(id)
    expect(workflow.versionNumber).toBe(1)
    expect(findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`).toSorted()).toEqual([
      expect.stringMatching(/^error unknown_token_node nodes.1.config.message/),
      expect.stringMatching(/^error unreachable_node nodes.2/),
      'warning draft_resource nodes.1.config.agentId',
    ])
  })

  test('with triggers that nothing starts yet is no failure', async () => {
    const draft = {
      nodes: [
        node('hook', 'http-request'),
        node('daily', 'recurrence', { mode: 'interval', every: 1, unit: 'days' }),
      ],
      edges: [],
    }
    expect((await publish(await create(draft))).workflow.versionNumber).toBe(1)
  })

  test('is for those who may see it', async () => {
    const id = await create(graph())
    expect(await refusal(publish(id, {}, teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(publish(id, {}, teams.otherScope))).toEqual(['workflow_not_found'])
    expect(await refusal(validateWorkflow(teams.parts.database.read, teams.otherScope, id))).toEqual([
      'workflow_not_found',
    ])
  })
})

describe('what a workflow names', () => {
  test('is of the organization level or of its own project; at the organization level anything', async () => {
    const { agent, llm, project } = teams
    const { teamId } = await newTeam('in-one', project('one'))
    const draft = graph(
      [
        node('a', 'ai-agent', { agentId: agent('in-one'), message: 'm' }),
        node('t', 'team-step', { teamId, message: 'm' }),
        node('p', 'ai-prompt', {
          prompt: 'p',
          model: { primary: { llm_config_id: llm('of-one') }, fallbacks: [{ llm_config_id: llm('main') }] },
        }),
      ],
      ['start > a', 'start > t', 'start > p'],
    )
    const [code, ...errors] = await refusal(publish(await create(draft, project('two'))))
    expect([code, ...errors.map((error) => error.replace(/: .*/, ''))]).toEqual([
      'validation_error',
      'nodes.1.config.agentId there is no such agent',
      'nodes.2.config.teamId there is no such team',
      'nodes.3.config.model.primary.llm_config_id there is no such LLM configuration',
    ])
    await publish(await create(draft, project('one')))
    await publish(await create(draft))
  })

  test('is neither archived, disconnected nor of another organization', async () => {
    const draft = graph([
      node('old', 'ai-agent', { agentId: teams.agent('old').toUpperCase(), message: 'm' }),
      node('x', 'ai-agent', { agentId: teams.agent('x'), message: 'm' }),
      node('off', 'ai-prompt', { prompt: 'p', model: { primary: { llm_config_id: teams.llm('off') } } }),
    ])
    const errors = (await refusal(publish(await create(draft)))).map((error) => error.replace(/: .*/, ''))
    expect(errors).toEqual([
      'validation_error',
      'nodes.1.config.agentId the agent is archived',
      'nodes.2.config.agentId there is no such agent',
      'nodes.3.config.model.primary.llm_config_id there is no such LLM configuration',
    ])
  })

  test('cannot be put away while callers run it', async () => {
    const { teamId } = await newTeam('c')
    const draft = graph(
      [
        node('a', 'ai-agent', { agentId: teams.agent('a'), message: 'm' }),
        node('again', 'ai-agent', { agentId: teams.agent('a').toUpperCase(), message: 'm' }),
        node('t', 'team-step', { teamId, message: 'm' }),
      ],
      ['start > a', 'start > again', 'start > t'],
    )
    const id = await create(draft, null, 'Guard')
    expect(await use('a')).not.toContain('Guard')
    const { workflow } = await publish(id)
    const removed = () => deleteTeam(teams.parts, teams.scope, BUILDER, teamId)
    expect(await use('a')).toMatch(/^The agent is used by the published workflows? .*"Guard"/)
    await expect(removed()).rejects.toMatchObject({
      code: 'team_in_use',
      message: 'The team is used by the published workflow "Guard".',
    })
    // A draft that does not name it any more is not what callers run.
    await save(id, graph(), workflow.draftRevision)
    await expect(removed()).rejects.toMatchObject({ code: 'team_in_use' })
    await publish(id)
    await removed()
    expect(await use('a')).not.toContain('Guard')
  })
})

describe('what is published', () => {
  test('ends when it is unpublished, once', async () => {
    const id = await create(graph())
    await publish(id)
    teams.audited()
    expect(await unpublish(id)).toMatchObject({ deployment: null, versionNumber: 1 })
    expect(teams.audited()).toMatchObject([
      { action: 'workflow.unpublished', before: { published: true }, after: { published: false } },
    ])
    await unpublish(id)
    expect(teams.audited()).toEqual([])
    expect((await versions(id)).data).toMatchObject([{ number: 1, active: false }])
    expect((await publish(id)).workflow.versionNumber).toBe(2)
  })

  test('ends when the workflow is deleted, and frees what it names', async () => {
    const id = await create(withAgent(teams.agent('c')), null, 'Gone')
    await publish(id)
    expect(await use('c')).toContain('"Gone"')
    await deleteWorkflow(teams.parts, teams.scope, BUILDER, id)
    expect(await use('c')).not.toContain('"Gone"')
  })

  test('is brought back into the draft from any version, and stays what it is', async () => {
    const first = withAgent(teams.agent('a'), 'First')
    const id = await create(first)
    await publish(id)
    await save(id, withAgent(teams.agent('a'), 'Second'), 1)
    const { workflow } = await publish(id)
    teams.audited()
    const [, oldest] = (await versions(id)).data
    const restore = (versionId: string, scope = teams.scope, workflowId = id) =>
      restoreWorkflowVersion(teams.parts, scope, BUILDER, { workflowId, versionId })
    const restored = await restore(oldest?.versionId ?? '')
    expect(restored).toMatchObject({ draftRevision: 3, deployment: workflow.deployment })
    expect(JSON.stringify(restored.draft)).toContain('First')
    expect(teams.audited()).toMatchObject([{ action: 'workflow.restored', before: { draftRevision: 2 } }])

    const other = await create(graph())
    for (const versionId of [randomUUID(), 'nonsense']) {
      expect(await refusal(restore(versionId))).toEqual(['workflow_not_found'])
    }
    expect(await refusal(restore(oldest?.versionId ?? '', teams.scope, other))).toEqual([
      'workflow_not_found',
    ])
    expect(await refusal(restore(oldest?.versionId ?? '', teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(versions(id, teams.projectScope))).toEqual(['forbidden'])
  })
})
