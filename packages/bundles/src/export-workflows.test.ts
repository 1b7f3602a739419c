import { publishWorkflow } from '@troupe/operations/publishing/publish-workflow'
import { graph, node } from '@troupe/operations/publishing/testing/graphs'
import { createWorkflow } from '@troupe/operations/workflows/create-workflow'
import { updateWorkflow } from '@troupe/operations/workflows/update-workflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { exportBundle } from './export-bundle.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'
import { Organizations } from './testing/organizations.ts'

let parts: BundleParts
let organizations: Organizations
beforeAll(async () => {
  parts = await openBundleParts()
  organizations = new Organizations(parts)
})
afterAll(() => parts[Symbol.asyncDispose]())

async function reapply(text: string, to = parts) {
  const applied = await applyBundle(to, { text, variables: {}, actor: TEST_ACTOR })
  return applied.organizations[0]
}

const ALL = `    workflows:
      - slug: triage
        name: Triage
        project: one
        description: "Costs $\${amount}"
        publish: true
        graph:
          nodes:
            - { id: start, type: http-request, name: Start, position: { x: 0, y: 40 } }
            - { id: repeat, type: loop, name: Repeat, position: { x: 200, y: 40.5 }, config: { mode: count, count: 2 } }
            - { id: ask, type: ai-agent, name: Ask, parentId: repeat, config: { agent: in-one, message: "{{ loop.index }}" } }
            - { id: team, type: team-step, name: Team, config: { message: m, team: desk } }
            - id: sort
              type: classify
              name: Sort
              config:
                text: "{{ trigger.text }}"
                classes: [{ id: zeta, name: Zeta }, { id: alpha, name: Alpha }]
                model: { primary: { llm_config: main, model_id: m }, fallbacks: [{ on: [error], llm_config: of-one }] }
            - { id: shape, type: edit-fields, name: Shape, disabled: true, config: { rows: [{ name: all, value: { zeta: 1, alpha: [null] } }] } }
          edges:
            - { id: one, source: start, target: repeat }
            - { id: two, source: repeat, sourceHandle: body, target: ask }
            - { id: three, source: repeat, sourceHandle: done, target: team }
            - { id: four, source: team, target: sort }
            - { id: five, source: sort, sourceHandle: zeta, target: shape }
      - { slug: later, name: Later, graph: { nodes: [{ id: a, type: ai-agent, name: A, config: { agent: old } }], edges: [] } }
    budgets:
      - { metric: workflow_runs, limit: 1000, period: month }
      - { metric: llm_cost_usd, limit: 12.345678, project: one }
`

describe('exporting workflows', () => {
  test('yields the same text after it was applied, there and on an empty database', async () => {
    const slug = await organizations.furnished(ALL)
    const exported = await exportBundle(parts, slug)
    expect(exported).toContain('agent: in-one')
    expect(exported).toContain('team: desk')
    expect(exported.match(/disabled: true/g)).toHaveLength(1)
    expect(exported).toContain('llm_config: of-one')
    expect(exported.match(/publish: true/g)).toHaveLength(1)
    expect(await reapply(exported)).toMatchObject({
      workflows: { created: 0, updated: 0, unchanged: 2 },
      budgets: { created: 0, updated: 0, unchanged: 2 },
    })
    expect(await exportBundle(parts, slug)).toBe(exported)

    await using other = await openBundleParts()
    expect(await reapply(exported, other)).toMatchObject({
      workflows: { created: 2 },
      budgets: { created: 2 },
    })
    expect(await exportBundle(other, slug)).toBe(exported)
  }, 60_000)

  test('does not `publish` a draft that differs from the published version, and adds missing slugs', async () => {
    const slug = await organizations.furnished()
    const scope = { organizationId: await organizations.id(slug), projectId: null }
    const made = await createWorkflow(parts, scope, TEST_ACTOR, { name: 'Désk!', draft: graph() })
    const exports = () => exportBundle(parts, slug)
    expect(await exports()).toContain('- slug: desk\n')
    expect(await exports()).not.toContain('publish')
    await publishWorkflow(parts, scope, TEST_ACTOR, made.workflowId)
    expect(await exports()).toContain('publish: true')
    const draft = graph([node('gone', 'team-step', { teamId: made.workflowId })])
    await updateWorkflow(parts, scope, TEST_ACTOR, made.workflowId, { draft, draftRevision: 1 })
    const text = await exports()
    expect(text).not.toContain('publish')
    expect(text).toContain(`teamId: ${made.workflowId}`)
    expect((await reapply(text))?.workflows).toEqual({ created: 0, updated: 0, unchanged: 1 })
    expect(await parts.database.read.workflows.list(scope.organizationId)).toEqual([])
  })
})
