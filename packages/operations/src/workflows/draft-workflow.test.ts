import { randomUUID } from 'node:crypto'
import type { DomainError, UpdateWorkflowBody, Workflow } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteWorkflow } from '../publishing/delete-workflow.ts'
import { graph, node, withAgent } from '../publishing/testing/graphs.ts'
import { undeleteWorkflow } from '../publishing/undelete-workflow.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { createWorkflow } from './create-workflow.ts'
import { findWorkflow } from './find-workflow.ts'
import { presentWorkflow } from './present-workflow.ts'
import { updateWorkflow } from './update-workflow.ts'

let teams: Teams & AsyncDisposable
let workflow: Workflow
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(async () => {
  workflow = await create({ description: 'First.', draft: graph() })
  teams.audited()
  teams.parts.told.length = 0
})

const create = (body: object, scope = teams.scope) =>
  createWorkflow(teams.parts, scope, BUILDER, { name: 'Triage', ...body })
const get = async (scope = teams.scope, id = workflow.workflowId) =>
  presentWorkflow(await findWorkflow(teams.parts.database.read.workflows.byId, scope, id))
const update = (body: UpdateWorkflowBody, scope = teams.scope, id = workflow.workflowId) =>
  updateWorkflow(teams.parts, scope, BUILDER, id, body)
async function refusal(attempt: Promise<unknown>) {
  const { code, errors } = (await attempt.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )) as DomainError
  return [code, ...(errors ?? []).map(({ path, message }) => `${path} ${message}`)]
}

describe('creating a workflow', () => {
  test('returns the draft, writes one audit row and notifies this process', async () => {
    const created = await create({ draft: withAgent(teams.agent('a')) })
    expect(created).toMatchObject({
      name: 'Triage',
      description: null,
      projectId: null,
      draftRevision: 1,
      deployment: null,
      versionNumber: 0,
      draft: {
        nodes: [
          { id: 'start', parentId: null, position: { x: 0, y: 0 }, config: {} },
          { id: 'answer', config: { agentId: teams.agent('a') } },
        ],
        edges: [{ source: 'start', sourceHandle: 'out', target: 'answer' }],
      },
    })
    expect(await get(teams.scope, created.workflowId)).toEqual(created)
    expect(teams.audited()).toMatchObject([
      {
        action: 'workflow.created',
        entityId: created.workflowId,
        actor: BUILDER,
        before: null,
        after: { name: 'Triage', published: false, draft: { nodes: [{ id: 'start' }, { id: 'answer' }] } },
      },
    ])
    expect(teams.parts.told).toEqual([teams.scope.organizationId])
  })

  test('starts with an empty draft, and saves one that cannot be published', async () => {
    expect((await create({})).draft).toEqual({ nodes: [], edges: [] })
    const draft = graph([node('x', 'ai-agent'), node('y', 'nonsense')], ['start > nobody'])
    expect((await create({ draft })).draft.nodes).toHaveLength(3)
  })

  test('refuses a draft that is not a graph, with every path', async () => {
    const draft = { nodes: [{ id: 'a b', type: 'note', name: '' }], edges: [{}] }
    expect(await refusal(create({ draft }))).toEqual([
      'validation_error',
      'draft.nodes.0.id must have 1 to 64 letters, digits, _ or -',
      'draft.nodes.0.name must not be empty',
      'draft.edges.0.id is required',
      'draft.edges.0.source is required',
      'draft.edges.0.target is required',
    ])
    const large = graph([node('n', 'note', { markdown: 'x'.repeat(4 * 1024 * 1024) })])
    expect(await refusal(create({ draft: large }))).toEqual([
      'validation_error',
      'draft is 4.1 MB, more than 4 MB',
    ])
    expect(teams.audited()).toEqual([])
  })

  test('is in the project of a project scope, and in a project of the organization otherwise', async () => {
    const { project } = teams
    expect(await create({ projectId: project('two') }, teams.projectScope)).toMatchObject({
      projectId: project('one'),
    })
    expect(await create({ projectId: project('two') })).toMatchObject({ projectId: project('two') })
    for (const projectId of [project('theirs'), randomUUID()]) {
      expect(await refusal(create({ projectId }))).toEqual(['project_not_found'])
    }
  })
})

describe('reading workflows', () => {
  test('of another project is forbidden, and any other is not found', async () => {
    expect(await refusal(get(teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(get(teams.otherScope))).toEqual(['workflow_not_found'])
    for (const id of [randomUUID(), 'nonsense']) {
      expect(await refusal(get(teams.scope, id))).toEqual(['workflow_not_found'])
    }
  })
})

describe('updating a workflow', () => {
  test('changes the sent fields, and the audit row has the parts of the draft that differ', async () => {
    const draft = withAgent(teams.agent('a'))
    const updated = await update({ name: 'Desk', draft, draftRevision: 1 })
    expect(updated).toMatchObject({ name: 'Desk', description: 'First.', draftRevision: 2 })
    expect(await get()).toEqual(updated)
    expect(teams.audited()).toMatchObject([
      {
        action: 'workflow.updated',
        before: { name: 'Triage', draftRevision: 1, draft: { nodes: [], edges: [] } },
        after: { name: 'Desk', draftRevision: 2, draft: { nodes: [{ id: 'answer' }], edges: [{}] } },
      },
    ])
    expect(teams.parts.told).toEqual([teams.scope.organizationId])
    expect(await update({ description: null })).toMatchObject({ description: null, draftRevision: 2 })
  })

  test('an audit row has the exposure if only that differs', async () => {
    const { draft } = await get()
    await update({ draft: { ...(draft as object), expose: 'mcp' }, draftRevision: 1 })
    expect(teams.audited().at(-1)).toMatchObject({
      before: { draft: { nodes: [], edges: [], expose: null } },
      after: { draft: { nodes: [], edges: [], expose: 'mcp' } },
    })
  })

  test('refuses a draft based on an older one, also of two concurrent ones', async () => {
    const drafts = ['a', 'b', 'c'].map((slug) => withAgent(teams.agent(slug)))
    const outcomes = await Promise.allSettled(drafts.map((draft) => update({ draft, draftRevision: 1 })))
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
    await expect(update({ draft: graph(), draftRevision: 1 })).rejects.toMatchObject({
      code: 'draft_conflict',
      message: 'The draft was changed since it was read: its revision is 2 now.',
    })
    expect(teams.audited()).toHaveLength(1)
  })

  test('writes nothing if nothing differs', async () => {
    expect(await update({ name: 'Triage', draft: graph(), draftRevision: 1 })).toEqual(workflow)
    expect(teams.audited()).toEqual([])
    expect(teams.parts.told).toEqual([])
  })

  test('refuses an empty body and a draft without its revision', async () => {
    expect(await refusal(update({}))).toEqual([
      'validation_error',
      'body must have at least one of name, description, draft',
    ])
    expect(await refusal(update({ draft: graph() }))).toEqual([
      'validation_error',
      'draftRevision is required with a draft',
    ])
  })

  test('requires access to the workflow', async () => {
    expect(await refusal(update({ name: 'X' }, teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(update({ name: 'X' }, teams.otherScope))).toEqual(['workflow_not_found'])
  })
})

describe('deleting a workflow', () => {
  const remove = (scope = teams.scope) => deleteWorkflow(teams.parts, scope, BUILDER, workflow.workflowId)

  test('hides it, once, with an audit row', async () => {
    await remove()
    expect(teams.audited()).toMatchObject([
      { action: 'workflow.deleted', before: { name: 'Triage' }, after: null },
    ])
    expect(teams.parts.told).toEqual([teams.scope.organizationId])
    expect(await refusal(remove())).toEqual(['workflow_not_found'])
    expect(await refusal(get())).toEqual(['workflow_not_found'])
    expect(await refusal(update({ name: 'X' }))).toEqual(['workflow_not_found'])
  })

  test('requires access to the workflow', async () => {
    expect(await refusal(remove(teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(remove(teams.otherScope))).toEqual(['workflow_not_found'])
  })
})

describe('undeleting a workflow', () => {
  const undelete = (scope = teams.scope) => undeleteWorkflow(teams.parts, scope, BUILDER, workflow.workflowId)

  test('restores a deleted workflow, once, with an audit row', async () => {
    const before = await get()
    await deleteWorkflow(teams.parts, teams.scope, BUILDER, workflow.workflowId)
    const answers = await Promise.all([undelete(), undelete(), undelete()])
    expect(answers.map(({ workflowId }) => workflowId)).toEqual(Array(3).fill(workflow.workflowId))
    expect(teams.audited()).toMatchObject([
      { action: 'workflow.deleted' },
      { action: 'workflow.undeleted', before: null, after: { name: 'Triage', published: false } },
    ])
    expect(teams.parts.told).toHaveLength(2)
    expect(await get()).toEqual({ ...before, updatedAt: expect.any(String) })
  })

  test('has no effect on one that is not deleted', async () => {
    expect(await undelete()).toMatchObject({ workflowId: workflow.workflowId })
    expect(teams.audited()).toEqual([])
    expect(teams.parts.told).toEqual([])
  })

  test('requires access to the workflow, and leaves it deleted otherwise', async () => {
    await deleteWorkflow(teams.parts, teams.scope, BUILDER, workflow.workflowId)
    expect(await refusal(undelete(teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(undelete(teams.otherScope))).toEqual(['workflow_not_found'])
    expect(await refusal(get())).toEqual(['workflow_not_found'])
  })
})
