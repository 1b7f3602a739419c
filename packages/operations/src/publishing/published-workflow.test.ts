import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeUse } from '../agents/describe-use.ts'
import { createTeam } from '../teams/create-team.ts'
import { deleteTeam } from '../teams/delete-team.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { restoreWorkflowVersion } from '../workflows/restore-workflow-version.ts'
import { deleteWorkflow } from './delete-workflow.ts'
import { graph, node, withAgent } from './testing/graphs.ts'
import { publishing, refusal } from './testing/published-workflows.ts'
import { unpublishWorkflow } from './unpublish-workflow.ts'

let teams: Teams & AsyncDisposable
let workflows: ReturnType<typeof publishing>
beforeAll(async () => {
  teams = await openTeams()
  workflows = publishing(teams)
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(() => {
  teams.audited()
})

const unpublish = (id: string) => unpublishWorkflow(teams.parts, teams.scope, BUILDER, id)
/** The published workflows that use an agent. */
const use = async (slug: string) => {
  const resource = { kind: 'agent', id: teams.agent(slug) } as const
  return describeUse(
    [],
    await teams.parts.database.read.workflows.publishedWith(teams.scope.organizationId, resource),
  )
}
const newTeam = (slug: string, projectId: string | null = null) =>
  createTeam(teams.parts, teams.scope, BUILDER, {
    name: 'Desk',
    projectId,
    config: { mode: 'handoff', lead: { agent: teams.agent(slug) }, members: [{ agent: teams.agent('b') }] },
  })

describe('a resource of a workflow', () => {
  test('must be of the organization level or of its own project; at the organization level any', async () => {
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
    const [code, ...errors] = await refusal(workflows.publish(await workflows.create(draft, project('two'))))
    expect([code, ...errors.map((error) => error.replace(/: .*/, ''))]).toEqual([
      'validation_error',
      'nodes.1.config.agentId agent not found',
      'nodes.2.config.teamId team not found',
      'nodes.3.config.model.primary.llm_config_id LLM configuration not found',
    ])
    await workflows.publish(await workflows.create(draft, project('one')))
    await workflows.publish(await workflows.create(draft))
  })

  test('must not be archived, disconnected or of another organization', async () => {
    const draft = graph([
      node('old', 'ai-agent', { agentId: teams.agent('old').toUpperCase(), message: 'm' }),
      node('x', 'ai-agent', { agentId: teams.agent('x'), message: 'm' }),
      node('off', 'ai-prompt', { prompt: 'p', model: { primary: { llm_config_id: teams.llm('off') } } }),
    ])
    const errors = (await refusal(workflows.publish(await workflows.create(draft)))).map((error) =>
      error.replace(/: .*/, ''),
    )
    expect(errors).toEqual([
      'validation_error',
      'nodes.1.config.agentId the agent is archived',
      'nodes.2.config.agentId agent not found',
      'nodes.3.config.model.primary.llm_config_id LLM configuration not found',
    ])
  })

  test('cannot be archived while it is published', async () => {
    const { teamId } = await newTeam('c')
    const draft = graph(
      [
        node('a', 'ai-agent', { agentId: teams.agent('a'), message: 'm' }),
        node('again', 'ai-agent', { agentId: teams.agent('a').toUpperCase(), message: 'm' }),
        node('t', 'team-step', { teamId, message: 'm' }),
      ],
      ['start > a', 'start > again', 'start > t'],
    )
    const id = await workflows.create(draft, null, 'Guard')
    expect(await use('a')).toBeNull()
    const { workflow } = await workflows.publish(id)
    const removed = () => deleteTeam(teams.parts, teams.scope, BUILDER, teamId)
    expect(await use('a')).toBe('is used by the published workflow "Guard"')
    await expect(removed()).rejects.toMatchObject({
      code: 'team_in_use',
      message: 'The team is used by the published workflow "Guard".',
    })
    // A draft without the reference is not the published version.
    await workflows.save(id, graph(), workflow.draftRevision)
    await expect(removed()).rejects.toMatchObject({ code: 'team_in_use' })
    await workflows.publish(id)
    await removed()
    expect(await use('a')).toBeNull()
  })
})

describe('a published workflow', () => {
  test('is unpublished once', async () => {
    const id = await workflows.create(graph())
    await workflows.publish(id)
    teams.audited()
    expect(await unpublish(id)).toMatchObject({ deployment: null, versionNumber: 1 })
    expect(teams.audited()).toMatchObject([
      { action: 'workflow.unpublished', before: { published: true }, after: { published: false } },
    ])
    await unpublish(id)
    expect(teams.audited()).toEqual([])
    expect((await workflows.versions(id)).data).toMatchObject([{ number: 1, active: false }])
    expect((await workflows.publish(id)).workflow.versionNumber).toBe(2)
  })

  test('is unpublished when it is deleted, and releases its resources', async () => {
    const id = await workflows.create(withAgent(teams.agent('c')), null, 'Gone')
    await workflows.publish(id)
    expect(await use('c')).toContain('"Gone"')
    await deleteWorkflow(teams.parts, teams.scope, BUILDER, id)
    expect(await use('c')).toBeNull()
  })

  test('is restored as the draft from any version, and remains unchanged', async () => {
    const first = withAgent(teams.agent('a'), 'First')
    const id = await workflows.create(first)
    await workflows.publish(id)
    await workflows.save(id, withAgent(teams.agent('a'), 'Second'), 1)
    const { workflow } = await workflows.publish(id)
    teams.audited()
    const [, oldest] = (await workflows.versions(id)).data
    const restore = (versionId: string, scope = teams.scope, workflowId = id) =>
      restoreWorkflowVersion(teams.parts, scope, BUILDER, { workflowId, versionId }, { draftRevision: 2 })
    const restored = await restore(oldest?.versionId ?? '')
    expect(restored).toMatchObject({ draftRevision: 3, deployment: workflow.deployment })
    expect(JSON.stringify(restored.draft)).toContain('First')
    expect(teams.audited()).toMatchObject([{ action: 'workflow.restored', before: { draftRevision: 2 } }])

    const other = await workflows.create(graph())
    for (const versionId of [randomUUID(), 'nonsense']) {
      expect(await refusal(restore(versionId))).toEqual(['version_not_found'])
    }
    expect(await refusal(restore(oldest?.versionId ?? '', teams.scope, other))).toEqual(['version_not_found'])
    expect(await refusal(restore(oldest?.versionId ?? '', teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(workflows.versions(id, teams.projectScope))).toEqual(['forbidden'])
  })
})
