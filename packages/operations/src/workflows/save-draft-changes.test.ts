import { randomUUID } from 'node:crypto'
import { asId, type DomainError, MAX_FIELD_ERRORS, type Workflow } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { graph } from '../publishing/testing/graphs.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { createWorkflow } from './create-workflow.ts'
import { draftChangesSince } from './draft-changes-since.ts'
import { patchDraft } from './patch-draft.ts'
import { type DraftSaveBody, saveDraftChanges } from './save-draft-changes.ts'

let teams: Teams & AsyncDisposable
let workflow: Workflow
beforeAll(async () => {
  teams = await openTeams()
})
afterAll(() => teams[Symbol.asyncDispose]())
beforeEach(async () => {
  workflow = await createWorkflow(teams.parts, teams.scope, BUILDER, { name: 'Triage', draft: graph() })
  teams.audited()
})

const step = (id: string, name = id) => ({
  put: { node: { id, type: 'edit-fields', name, parentId: null, position: { x: 0, y: 0 }, config: {} } },
})
const text = (id: string, length: number) => ({
  put: { node: { ...step(id).put.node, config: { text: 'x'.repeat(length) } } },
})
const save = (body: DraftSaveBody) =>
  saveDraftChanges(teams.parts, teams.scope, BUILDER, workflow.workflowId, body)
const id = () => asId(workflow.workflowId)
const since = (revision: number, bytes = 1_000_000, least = 1) =>
  teams.parts.database.read.builder.workflows.changesSince(teams.scope.organizationId, id(), {
    since: revision,
    limit: 100,
    bytes,
    least,
  })
const draft = async () =>
  (await teams.parts.database.read.workflows.byId(teams.scope.organizationId, id()))?.draft
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: DomainError) => error.code,
  )

test('a save records its changes, author and label', async () => {
  await save({ draftRevision: 1, changes: [step('a')], gesture: 'Add a' })
  await save({ draftRevision: 2, changes: [{ expose: 'mcp' }, { remove: { nodeId: 'a' } }] })
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }], expose: 'mcp' })
  expect(await since(1)).toMatchObject({
    draftRevision: 3,
    rows: [
      { revision: 2, changes: [step('a')], gesture: 'Add a', changedBy: { kind: 'api_key' } },
      { revision: 3, changes: [{ expose: 'mcp' }, { remove: { nodeId: 'a' } }], gesture: null },
    ],
  })
  expect((await since(3))?.rows).toEqual([])
})

test('a repeated save gets the former answer, even after a save by somebody else', async () => {
  const changeId = randomUUID()
  const first = await save({ draftRevision: 1, changeId, changes: [step('a', 'Mine')] })
  await save({ draftRevision: 2, changes: [step('a', 'Theirs')] })
  expect(await save({ draftRevision: 1, changeId, changes: [step('a', 'Mine')] })).toEqual(first)
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }, { name: 'Theirs' }] })
  expect(await codeOf(save({ draftRevision: 1, changeId: randomUUID(), changes: [step('b')] }))).toBe(
    'draft_conflict',
  )
})

test('one save that arrives twice concurrently is stored once', async () => {
  const changeId = randomUUID()
  const sends = [1, 2, 3].map(() => save({ draftRevision: 1, changeId, changes: [step('a')] }))
  const [one, two, three] = await Promise.all(sends)
  expect([two, three]).toEqual([one, one])
  expect((await since(1))?.draftRevision).toBe(2)
})

test('a save does not wait for a holder of the organization, such as a publish', async () => {
  const { database } = teams.parts
  await database.transaction(async (tx) => {
    const order: string[] = []
    const lock: typeof tx.write.organizations.lock = (id) => {
      order.push('organization')
      return tx.write.organizations.lock(id)
    }
    const write = { ...tx.write, organizations: { ...tx.write.organizations, lock } }
    const within = { ...tx, write }
    const parts = {
      ...teams.parts,
      database: {
        ...database,
        transaction: <T>(work: (inner: typeof tx) => Promise<T>) => work(within),
      },
    }
    await saveDraftChanges(parts, teams.scope, BUILDER, workflow.workflowId, {
      draftRevision: 1,
      changes: [step('a')],
    })
    expect(order).toEqual([])
  })
})

test('a save without changes creates no revision and no entry of the audit log', async () => {
  await save({ draftRevision: 1, changes: [step('a')] })
  teams.audited()
  expect(await save({ draftRevision: 2, changes: [step('a')] })).toMatchObject({ draftRevision: 2 })
  expect(teams.audited()).toEqual([])
  expect(await codeOf(save({ draftRevision: 2, changes: [{}] }))).toBe('validation_error')
})

test('saves are listed up to a limit of bytes, in their order', async () => {
  for (const [at, one] of ['a', 'b', 'c'].entries()) {
    await save({ draftRevision: at + 1, changes: [step(one, 'x'.repeat(100))] })
  }
  const listed = async (bytes: number, least?: number) =>
    (await since(1, bytes, least))?.rows.map(({ revision }) => revision)
  expect(await listed(1)).toEqual([2])
  expect(await listed(1, 0)).toEqual([])
  expect(await listed(1_700)).toEqual([2, 3])
  expect(await listed(10_000)).toEqual([2, 3, 4])
})

test('a conflict has every save of 256 KB together, or none; the list has pages of them', async () => {
  const { read } = teams.parts.database
  const conflict = () =>
    save({ draftRevision: 1, changes: [step('mine')] }).then(
      () => null,
      (error: DomainError) => error.changesSince?.map(({ revision }) => revision) ?? null,
    )
  const page = (revision: number) => draftChangesSince(read, { ...teams.scope, id: id() }, revision, 1)
  // A control character is six bytes of JSON, and a gesture also counts.
  const gesture = '\u0001'.repeat(200)
  await save({ draftRevision: 1, changes: [step('a', 'x'), text('b', 100_000)], gesture })
  await save({ draftRevision: 2, changes: [text('c', 100_000)], gesture })
  expect(await conflict()).toEqual([2, 3])
  expect(await page(1)).toMatchObject({ isComplete: true, next: null })
  await save({ draftRevision: 3, changes: [text('d', 300_000)] })
  expect(await conflict()).toBeNull()
  const first = await page(1)
  expect(first).toMatchObject({ isComplete: false, next: 3, data: [{ revision: 2 }, { revision: 3 }] })
  expect(JSON.stringify(first).length).toBeLessThan(300_000)
  expect(await page(3)).toMatchObject({ isComplete: true, next: null, data: [{ revision: 4 }] })
})

test('puts beyond the nodes or edges of a graph are refused by their count, and nothing is read', async () => {
  const closed = {
    ...teams.parts.database,
    transaction: () => Promise.reject(new Error('A transaction was opened.')),
  }
  const edge = { put: { edge: {} } }
  const changes = Array.from({ length: 60_000 }, () => edge)
  await expect(
    saveDraftChanges({ ...teams.parts, database: closed }, teams.scope, BUILDER, workflow.workflowId, {
      draftRevision: 1,
      changes,
    }),
  ).rejects.toMatchObject({
    code: 'validation_error',
    errors: [{ path: 'changes', message: 'must put at most 20000 edges' }],
  })
})

test('changes are read up to the maximum number of failures in an answer', () => {
  const unread = Object.defineProperty({}, 'put', {
    get() {
      throw new Error('This change was read.')
    },
  })
  const changes = [...Array.from({ length: MAX_FIELD_ERRORS + 1 }, () => ({ put: { edge: {} } })), unread]
  expect(() => patchDraft({ nodes: [], edges: [] }, 0, changes)).toThrow(
    `Only the first ${MAX_FIELD_ERRORS} failures are listed.`,
  )
})

test('changes are deleted after their time', async () => {
  await save({ draftRevision: 1, changes: [step('a')] })
  await teams.parts.database.draftChanges.sweep(new Date(Date.now() - 60_000))
  expect((await since(1))?.rows).toHaveLength(1)
  await teams.parts.database.draftChanges.sweep(new Date(Date.now() + 60_000))
  expect(await since(1)).toMatchObject({ draftRevision: 2, rows: [] })
})
