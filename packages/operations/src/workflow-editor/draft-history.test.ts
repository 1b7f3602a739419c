import {
  checkedId,
  type DomainError,
  newId,
  OrganizationId,
  type Workflow,
  WorkflowId,
} from '@troupe/contract'
import type { Graph } from '@troupe/graph'
import type { Actor } from '@troupe/storage'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { graph } from '../publishing/testing/graphs.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { createWorkflow } from '../workflows/create-workflow.ts'
import { KeptDrafts } from '../workflows/kept-drafts.ts'
import type { DraftChange } from '../workflows/patch-draft.ts'
import { saveDraftChanges } from '../workflows/save-draft-changes.ts'
import { updateWorkflow } from '../workflows/update-workflow.ts'
import { getDraftRevision, keepDraftState, listTimeline } from './draft-history.ts'

let teams: Teams & AsyncDisposable
let workflow: Workflow
const drafts = new KeptDrafts()
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(async () => {
  workflow = await createWorkflow(teams.parts, teams.scope, BUILDER, { name: 'Triage', draft: graph() })
})

const EVA: Actor = { ...BUILDER, id: 'eva' }
const caller = (): BuilderCaller => ({ ...teams.scope, projectId: null, actor: BUILDER }) as BuilderCaller
const put = (id: string, name = id, before?: string): DraftChange => ({
  put: {
    node: { id, type: 'edit-fields', name, parentId: null, position: { x: 0, y: 0 }, config: {} },
    ...(before === undefined ? {} : { before }),
  },
})
const save = async (draftRevision: number, changes: DraftChange[], gesture: string, by = BUILDER) =>
  (
    await saveDraftChanges({ ...teams.parts, drafts }, teams.scope, by, workflow.workflowId, {
      ...{ draftRevision, changes, gesture },
    })
  ).draftRevision
const at = async (revision: number | string) =>
  (
    await getDraftRevision(teams.parts.database.read, caller(), {
      workflowId: workflow.workflowId,
      revision: String(revision),
    })
  ).graph
const stored = async () =>
  (
    await teams.parts.database.read.workflows.byId(
      teams.scope.organizationId,
      checkedId(WorkflowId, workflow.workflowId),
    )
  )?.draft
const timeline = (query: { after?: string; limit?: number } = {}) =>
  listTimeline(teams.parts.database.read, caller(), workflow.workflowId, query)
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: DomainError) => error.code,
  )

test('the draft of every revision can be read, even if saves moved, removed or re-added parts', async () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd')
  const change = fc.oneof(
    fc.tuple(id, fc.constantFrom('One', 'Two')).map(([one, name]) => put(one, name)),
    fc.tuple(id, id).map(([one, before]) => put(one, one, before)),
    id.map((one): DraftChange => ({ remove: { nodeId: one } })),
    fc.constantFrom<DraftChange[]>({ expose: 'mcp' }, { expose: null }),
  )
  const saves = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(saves, async (all) => {
      workflow = await createWorkflow(teams.parts, teams.scope, BUILDER, { name: 'Any', draft: graph() })
      const states = new Map([[1, await stored()]])
      let revision = 1
      for (const changes of all) {
        revision = await save(revision, changes, 'Edit')
        states.set(revision, await stored())
      }
      for (const [one, state] of states) expect(await at(one)).toEqual(state)
    }),
    { numRuns: 15 },
  )
})

test('large saves within five minutes are kept, and every revision of them can be read', async () => {
  // 10 MB in total, of which one read combines 8 MB.
  const large = (letter: string): DraftChange => ({
    put: {
      node: {
        ...{ id: 'a', type: 'edit-fields', name: 'Large', parentId: null, position: { x: 0, y: 0 } },
        config: { rows: [{ name: 'v', value: letter.repeat(1_700_000) }] },
      },
    },
  })
  const letters = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const [index, letter] of letters.entries()) await save(index + 1, [large(letter)], 'Edit')
  for (const [index, letter] of letters.entries()) {
    const { nodes } = (await at(index + 2)) as unknown as Graph
    expect(JSON.stringify(nodes.find(({ id }) => id === 'a')?.config).slice(0, 40)).toContain(
      `"${letter}${letter}`,
    )
  }
  expect((await timeline()).data).toMatchObject([{ kind: 'changes', count: 6, isKept: true }])
})

test('a replaced draft is a snapshot, and its previous state can still be read', async () => {
  await save(1, [put('a')], 'Add a')
  const before = await stored()
  const draft = { nodes: [], edges: [] }
  await updateWorkflow(teams.parts, teams.scope, EVA, workflow.workflowId, { draft, draftRevision: 2 })
  await save(3, [put('b')], 'Add b')
  await save(4, [put('c')], 'Add c')
  expect(await at(2)).toEqual(before)
  expect(await at(3)).toEqual(draft)
  expect(await at(4)).toMatchObject({ nodes: [{ id: 'b' }] })
  const { data } = await timeline()
  expect(data).toMatchObject([
    { kind: 'changes', revision: 5, fromRevision: 3, count: 2, gestures: ['Add c', 'Add b'], isKept: true },
    { kind: 'snapshot', revision: 3, reason: 'replaced', by: { id: 'eva' } },
    { kind: 'changes', revision: 2, fromRevision: 1, count: 1, gestures: ['Add a'], isKept: true },
  ])
})

test('saves of two people are two entries, pages join without a gap, and a kept draft has its label', async () => {
  await save(1, [put('a')], 'Add a')
  await save(2, [put('b')], 'Add b', EVA)
  expect(
    await keepDraftState(teams.parts, caller(), workflow.workflowId, { label: ' Before a restore ' }),
  ).toMatchObject({ revision: 3 })
  await save(3, [put('c')], 'Add c', EVA)
  const all = (await timeline()).data
  expect(all.map(({ kind, gestures, label }) => [kind, gestures[0] ?? label])).toEqual([
    ['changes', 'Add c'],
    ['snapshot', 'Before a restore'],
    ['changes', 'Add b'],
    ['changes', 'Add a'],
  ])
  const first = await timeline({ limit: 3 })
  const rest = await timeline({ limit: 3, after: first.next ?? '' })
  expect([...first.data, ...rest.data]).toEqual(all)
  expect(rest.next).toBeNull()
})

test('a revision that the draft never had, or that is no longer kept, is not found', async () => {
  await save(1, [put('a')], 'Add a')
  await save(2, [put('b')], 'Add b')
  for (const none of [0, 4, -1, '1e3', '01', 'draft', '99999999999', '2147483648']) {
    expect([none, await codeOf(at(none))]).toEqual([none, 'version_not_found'])
  }
  await teams.parts.database.draftChanges.sweep(new Date(Date.now() + 60_000))
  expect(await codeOf(at(2))).toBe('version_not_found')
  expect((await timeline()).data).toEqual([])
  // The current draft is always available.
  expect(await at(3)).toEqual(await stored())
})

// A former bug: all twenty requests got 201, but only the last label remained.
test('twenty concurrent keeps of one revision are twenty entries with their labels, beside the save that replaced the draft', async () => {
  const draft = { nodes: [], edges: [] }
  await updateWorkflow(teams.parts, teams.scope, EVA, workflow.workflowId, { draft, draftRevision: 1 })
  const labels = Array.from({ length: 20 }, (_, n) => `Label ${n}`)
  const kept = await Promise.all(
    labels.map((label) => keepDraftState(teams.parts, caller(), workflow.workflowId, { label })),
  )
  expect(new Set(kept.map(({ revision }) => revision))).toEqual(new Set([2]))
  const pages = [await timeline({ limit: 12 })]
  pages.push(await timeline({ limit: 12, after: pages[0]?.next ?? '' }))
  const all = pages.flatMap(({ data }) => data)
  expect(all.every(({ kind, revision, count }) => kind === 'snapshot' && revision === 2 && count === 1)).toBe(
    true,
  )
  expect(all.flatMap(({ label }) => label ?? []).toSorted()).toEqual(labels.toSorted())
  expect(all.filter(({ reason }) => reason === 'replaced')).toMatchObject([
    { by: { id: 'eva' }, label: null },
  ])
  expect(all).toHaveLength(21)
  expect(await at(2)).toEqual(draft)
})

test('of one state the newest 1,000 entries are kept, and they are deleted with their state', async () => {
  const { database } = teams.parts
  const { organizationId } = teams.scope
  await keepDraftState(teams.parts, caller(), workflow.workflowId, { label: 'Label 0' })
  await database.transaction(async ({ write }) => {
    for (let one = 1; one <= 1_000; one++) {
      const keep = { reason: 'asked', by: BUILDER, label: `Label ${one}` } as const
      await write.workflows.keepSnapshot({
        organizationId,
        id: checkedId(WorkflowId, workflow.workflowId),
        keep,
      })
    }
  })
  const labels = async () => {
    const all: (string | null)[] = []
    for (let after: string | undefined = undefined; ; ) {
      const page: Awaited<ReturnType<typeof timeline>> = await timeline({
        limit: 100,
        ...(after && { after }),
      })
      all.push(...page.data.map(({ label }) => label))
      if (page.next === null) return all
      after = page.next
    }
  }
  expect(await labels()).toHaveLength(1_001)
  await database.draftChanges.sweep(new Date(0))
  expect(await labels()).toHaveLength(1_000)
  expect(await labels()).not.toContain('Label 0')
  await database.draftChanges.sweep(new Date(Date.now() + 60_000))
  expect(await labels()).toEqual([])
})

test('another organization can neither read nor keep it', async () => {
  await save(1, [put('a')], 'Add a')
  const stranger = { ...caller(), organizationId: newId(OrganizationId) } as BuilderCaller
  const { read } = teams.parts.database
  const { workflowId } = workflow
  for (const attempt of [
    () => listTimeline(read, stranger, workflowId, {}),
    () => getDraftRevision(read, stranger, { workflowId, revision: '1' }),
    () => keepDraftState(teams.parts, stranger, workflowId, {}),
    () => keepDraftState(teams.parts, caller(), 'none', {}),
  ]) {
    expect(await codeOf(attempt())).toBe('workflow_not_found')
  }
  expect((await timeline()).data).toHaveLength(1)
})

test('of each draft the newest 200 states are kept', async () => {
  let revision = 1
  for (let one = 0; one < 203; one++) {
    revision = await save(revision, [put('a', `Name ${one}`)], 'Rename')
    await keepDraftState(teams.parts, caller(), workflow.workflowId, {})
  }
  await teams.parts.database.draftChanges.sweep(new Date(0))
  const snapshots = (await timeline({ limit: 100 })).data.filter(({ kind }) => kind === 'snapshot')
  expect(snapshots[0]?.revision).toBe(revision)
  expect(await codeOf(at(2))).toBe('version_not_found')
  expect(await at(revision - 199)).toMatchObject({ nodes: expect.any(Array) })
})
