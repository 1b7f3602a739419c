import { randomUUID } from 'node:crypto'
import { checkedId, newId, ProjectId, WorkflowId } from '@troupe/contract'
import type { PasswordHashes } from '@troupe/secrets'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { validateWorkflow } from '../workflows/validate-workflow.ts'
import { type PublishWorkflowParts, publishWorkflow } from './publish-workflow.ts'
import { graph, node, withAgent } from './testing/graphs.ts'
import { publishing, refusal } from './testing/published-workflows.ts'

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

describe('publishing a workflow', () => {
  test('makes its draft version 1, with an audit row, and notifies this process', async () => {
    const id = await workflows.create(withAgent(teams.agent('a')))
    const { workflow, findings } = await workflows.publish(id)
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
    expect((await workflows.versions(id)).data).toMatchObject([
      { number: 1, active: true, createdBy: { id: 'key-1' } },
    ])
  })

  test('again without a change writes nothing, and after one creates the next version', async () => {
    const id = await workflows.create(withAgent(teams.agent('a')))
    const first = await workflows.publish(id)
    teams.audited()
    expect(await workflows.publish(id)).toEqual(first)
    expect(teams.audited()).toEqual([])
    await workflows.save(id, withAgent(teams.agent('a'), 'Again'), 1)
    expect((await workflows.publish(id)).workflow.versionNumber).toBe(2)
    expect((await workflows.versions(id)).data.map(({ number, active }) => [number, active])).toEqual([
      [2, true],
      [1, false],
    ])
  })

  test('of a draft other than the one that was read is refused', async () => {
    const id = await workflows.create(graph())
    expect(await refusal(workflows.publish(id, { draftRevision: 2 }))).toEqual(['draft_conflict'])
    expect((await workflows.publish(id, { draftRevision: 1 })).workflow.versionNumber).toBe(1)
  })

  test('concurrently creates one version', async () => {
    const id = await workflows.create(graph())
    const published = await Promise.all([workflows.publish(id), workflows.publish(id), workflows.publish(id)])
    expect(published.map(({ workflow }) => workflow.versionNumber)).toEqual([1, 1, 1])
    expect(teams.audited()).toHaveLength(1)
  })

  test('hashes the password of its form before the transaction, and not again if it is unchanged', async () => {
    const auth = { mode: 'basic', username: 'guest' }
    const fields = [{ name: 'name', label: 'Name', type: 'text' }]
    const form = (title: string) => ({
      nodes: [node('form', 'form-trigger', { title, fields, auth })],
      edges: [],
    })
    const id = await workflows.create(form('Contact'))
    const { database, passwords } = teams.parts
    const begun: string[] = []
    let within = ''
    const queue: PasswordHashes = {
      hash(text) {
        begun.push(`hash${within}`)
        return passwords.hash(text)
      },
      matches(text, hash) {
        begun.push(`matches${within}`)
        return passwords.matches(text, hash)
      },
    }
    const parts: PublishWorkflowParts = {
      ...teams.parts,
      passwords: { of: () => queue },
      database: {
        read: database.read,
        transaction: (work) =>
          database.transaction(async (tx) => {
            within = ' within the transaction'
            try {
              return await work(tx)
            } finally {
              within = ''
            }
          }),
      },
    }
    const publish = (formPassword: string, scope = teams.scope) =>
      publishWorkflow(parts, scope, BUILDER, id, { formPassword })
    await publish('open sesame')
    expect(begun).toEqual(['hash'])
    const stored = () => database.read.forms.settings(teams.scope.organizationId, checkedId(WorkflowId, id))
    const first = await stored()
    await publish('open sesame')
    expect(await stored()).toEqual(first)
    await publish('another one')
    expect(begun).toEqual(['hash', 'matches', 'matches', 'hash'])
    expect(await refusal(publish(''))).toEqual(['validation_error', 'form.password must not be empty'])
    expect(await refusal(publish('x', { ...teams.scope, projectId: newId(ProjectId) }))).toEqual([
      'forbidden',
    ])
    expect(begun).toHaveLength(4)
  })

  test('is refused with all of its errors, and then writes nothing', async () => {
    const draft = {
      nodes: [
        node('start', 'if-else', { conditions: [] }),
        node('end', 'ai-agent', { agentId: randomUUID() }),
        { ...node('end2', 'nonsense'), name: 'end' },
      ],
      edges: [{ id: 'e', source: 'start', sourceHandle: 'maybe', target: 'end' }],
    }
    const id = await workflows.create(draft)
    const [code, ...errors] = await refusal(workflows.publish(id))
    expect(code).toBe('validation_error')
    expect(errors).toEqual([
      'nodes.2.name another node has the name "end"',
      'nodes.2.type is not a node type: nonsense',
      'nodes must have a trigger',
      expect.stringContaining('edges.0.sourceHandle'),
      expect.stringContaining('nodes.0.config.conditions'),
      'nodes.1.config.message is required',
      expect.stringMatching(/^nodes.1.config.agentId agent not found: /),
    ])
    expect((await workflows.versions(id)).total).toBe(0)
    expect(teams.audited()).toEqual([])
    const findings = await validateWorkflow(teams.parts.database.read, teams.scope, id)
    expect(findings.filter(({ severity }) => severity === 'block')).toHaveLength(errors.length)
    expect(findings[0]).toMatchObject({ code: 'duplicate_node_name', nodeId: 'end2' })
  })

  test('returns warnings, and publishes nevertheless', async () => {
    const id = await workflows.create(
      graph(
        [
          node('answer', 'ai-agent', { agentId: teams.agent('b'), message: '{{ upstream.nobody.output }}' }),
          node('lost', 'edit-fields', { rows: [] }),
        ],
        ['start > answer'],
      ),
    )
    const { workflow, findings } = await workflows.publish(id)
    expect(workflow.versionNumber).toBe(1)
    expect(findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`).toSorted()).toEqual([
      expect.stringMatching(/^error unknown_token_node nodes.1.config.message/),
      expect.stringMatching(/^error unreachable_node nodes.2/),
      'warning draft_resource nodes.1.config.agentId',
    ])
  })

  test('with triggers that cannot start yet is not a failure', async () => {
    const draft = {
      nodes: [
        node('hook', 'http-request'),
        node('daily', 'recurrence', { mode: 'interval', every: 1, unit: 'days' }),
      ],
      edges: [],
    }
    expect((await workflows.publish(await workflows.create(draft))).workflow.versionNumber).toBe(1)
  })

  test('requires access to the workflow', async () => {
    const id = await workflows.create(graph())
    expect(await refusal(workflows.publish(id, {}, teams.projectScope))).toEqual(['forbidden'])
    expect(await refusal(workflows.publish(id, {}, teams.otherScope))).toEqual(['workflow_not_found'])
    expect(await refusal(validateWorkflow(teams.parts.database.read, teams.otherScope, id))).toEqual([
      'workflow_not_found',
    ])
  })
})
