import { randomUUID } from 'node:crypto'
import { checkedId, type DomainError, MAX_FIELD_ERRORS, type Workflow, WorkflowId } from '@troupe/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { publishWorkflow } from '../publishing/publish-workflow.ts'
import { graph } from '../publishing/testing/graphs.ts'
import { BUILDER, openTeams, type Teams } from '../teams/testing/open-teams.ts'
import { twoProcesses } from '../teams/testing/two-processes.ts'
import { createWorkflow } from './create-workflow.ts'
import { draftChangesSince } from './draft-changes-since.ts'
import { DraftTexts } from './draft-texts.ts'
import { joinedChange } from './joined-change.ts'
import { KeptDrafts } from './kept-drafts.ts'
import { patchDraft } from './patch-draft.ts'
import { restoreWorkflowVersion } from './restore-workflow-version.ts'
import { type DraftSaveBody, type SaveDraftParts, saveDraftChanges } from './save-draft-changes.ts'
import { updateWorkflow } from './update-workflow.ts'

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
/** One process shares these; another process has its own. */
const drafts = new KeptDrafts()
const save = (
  body: DraftSaveBody,
  kept = drafts,
  { database }: Pick<SaveDraftParts, 'database'> = teams.parts,
) => saveDraftChanges({ database, drafts: kept }, teams.scope, BUILDER, workflow.workflowId, body)
const id = () => checkedId(WorkflowId, workflow.workflowId)
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

test('the audit log has how a workflow was offered, before and after', async () => {
  await save({ draftRevision: 1, changes: [{ expose: 'mcp' }] })
  expect(teams.audited()).toMatchObject([
    {
      action: 'workflow.draft_saved',
      before: { draft: { nodes: [], edges: [], expose: null } },
      after: { draft: { nodes: [], edges: [], expose: 'mcp' } },
    },
  ])
})

test.each([
  ['first', [{ expose: null }, { expose: 'mcp' }], [{}, {}], [{ expose: null }, { expose: 'mcp' }]],
  ['second', [{}, {}], [{ expose: null }, { expose: 'mcp' }], [{ expose: null }, { expose: 'mcp' }]],
  ['both', [{ expose: null }, { expose: 'mcp' }], [{ expose: 'mcp' }, { expose: null }], [{}, {}]],
  ['none', [{}, {}], [{}, {}], [{}, {}]],
])('merged saves have the exposure if it differs: %s', (_, first, second, joined) => {
  const state = (own: object | undefined) => ({ draft: { nodes: [], edges: [], ...own } })
  const states = ([before, after]: readonly object[]) => ({ before: state(before), after: state(after) })
  expect(joinedChange(states(first), states(second))).toEqual(states(joined))
})

test('a repeated save gets the previous answer, even after a save by somebody else', async () => {
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

test('one save that arrives several times at two processes waits for the lock, and is stored once', async ({
  skip,
}) => {
  await using processes = await twoProcesses()
  if (!processes) return skip()
  const { one, two, teams: own } = processes
  const made = await createWorkflow(own.parts, own.scope, BUILDER, { name: 'Triage', draft: graph() })
  for (const draftRevision of [1, 2, 3]) {
    const body = { draftRevision, changeId: randomUUID(), changes: [step('a', `Name ${draftRevision}`)] }
    const answers = await Promise.all(
      [one, two, one, two].map((database) =>
        saveDraftChanges({ database, drafts: new KeptDrafts() }, own.scope, BUILDER, made.workflowId, body),
      ),
    )
    expect(answers).toEqual(answers.map(() => ({ ...answers[0], draftRevision: draftRevision + 1 })))
  }
})

test('a save that is repeated with the revision that it made gets the previous answer', async () => {
  const changeId = randomUUID()
  const first = await save({ draftRevision: 1, changeId, changes: [step('a')] })
  expect(await save({ draftRevision: 2, changeId, changes: [step('b')] })).toEqual(first)
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }, { id: 'a' }] })
})

test('a draft that was written without a new revision is a conflict for a kept one, and is not overwritten', async () => {
  await save({ draftRevision: 1, changes: [step('a')] })
  const { organizationId } = teams.scope
  const row = await teams.parts.database.read.workflows.byId(organizationId, id())
  const kept = new KeptDrafts()
  const at = row?.updatedAt ?? new Date(0)
  kept.keep(organizationId, id(), { revision: 2, at, draft: DraftTexts.of({ nodes: [], edges: [] }) })
  expect(await codeOf(save({ draftRevision: 2, changes: [step('b')] }, kept))).toBe('draft_conflict')
  await save({ draftRevision: 2, changes: [step('b')] }, kept)
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }, { id: 'a' }, { id: 'b' }] })
})

test('saves of a cached draft report whether it equals the published version, ignoring positions', async () => {
  await publishWorkflow(teams.parts, teams.scope, BUILDER, workflow.workflowId)
  const [start] = ((await draft()) as { nodes: object[] }).nodes
  const saves: [DraftSaveBody['changes'][number], boolean][] = [
    [step('a'), false],
    [{ remove: { nodeId: 'a' } }, true],
    [{ put: { node: { ...start, position: { x: 9, y: 9 } } } }, true],
    [{ expose: 'mcp' }, false],
    [{ expose: null }, true],
    [{ put: { node: { ...start, name: 'Other' } } }, false],
    [{ put: { node: { ...start } } }, true],
  ]
  for (const [at, [change, isDraftPublished]] of saves.entries()) {
    expect([at, await save({ draftRevision: at + 1, changes: [change] })]).toMatchObject([
      at,
      { isDraftPublished },
    ])
  }
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
    await save({ draftRevision: 1, changes: [step('a')] }, drafts, parts)
    expect(order).toEqual([])
  })
})

test('the audit log has the places of a step that was only moved, and joined moves as one', async () => {
  const nodes = ['a', 'b', 'c'].map((name) => step(name).put.node)
  workflow = await createWorkflow(teams.parts, teams.scope, BUILDER, {
    name: 'Order',
    draft: { nodes, edges: [] },
  })
  teams.audited()
  const moved = { put: { ...step('c').put, before: 'b' } }
  await save({ draftRevision: 1, changes: [{ remove: { nodeId: 'c' } }, moved] })
  const state = (follows: string | null) => ({
    draft: { nodes: [], edges: [], nodeOrder: [{ id: 'c', follows }] },
  })
  const entry = (before: string | null, after: string | null) => ({
    before: state(before),
    after: state(after),
  })
  expect(teams.audited()).toMatchObject([{ action: 'workflow.draft_saved', ...entry('b', 'a') }])
  expect(joinedChange(entry('b', 'a'), entry('a', null))).toEqual(entry('b', null))
  const none = { draft: { nodes: [], edges: [] } }
  expect(joinedChange(entry('b', 'a'), entry('a', 'b'))).toEqual({ before: none, after: none })
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

test('a conflict has every save of 256 KB in total, or none; the list has pages of them', async () => {
  const { read } = teams.parts.database
  const conflict = () =>
    save({ draftRevision: 1, changes: [step('mine')] }).then(
      () => null,
      (error: DomainError) => error.changesSince?.map(({ revision }) => revision) ?? null,
    )
  const page = (revision: number) => draftChangesSince(read, { ...teams.scope, id: id() }, revision, 1)
  // A control character takes six bytes of JSON, and the gesture also counts.
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
  await expect(save({ draftRevision: 1, changes }, drafts, { database: closed })).rejects.toMatchObject({
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
  expect(() => patchDraft(DraftTexts.of({ nodes: [], edges: [] }), changes)).toThrow(
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

/** A database that records for each locked draft whether it was read. */
function watched() {
  const read: boolean[] = []
  const { database } = teams.parts
  const watching: Pick<SaveDraftParts, 'database'> = {
    database: {
      ...database,
      transaction: (work) =>
        database.transaction((tx) => {
          const { workflows } = tx.write
          const lockDraft: typeof workflows.lockDraft = async (...of) => {
            const locked = await workflows.lockDraft(...of)
            read.push(locked?.draft !== null)
            return locked
          }
          return work({ ...tx, write: { ...tx.write, workflows: { ...workflows, lockDraft } } })
        }),
    },
  }
  return { read, parts: watching }
}

test('the saves after the first one of a process do not read the draft', async () => {
  const { read, parts } = watched()
  const kept = new KeptDrafts()
  for (const [at, one] of ['a', 'b', 'c'].entries()) {
    await save({ draftRevision: at + 1, changes: [step(one)] }, kept, parts)
  }
  expect(read).toEqual([true, false, false])
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }, { id: 'a' }, { id: 'b' }, { id: 'c' }] })
})

test('a kept draft is not used after anything else has written the draft', async () => {
  const { read, parts } = watched()
  const kept = new KeptDrafts()
  const { workflowId } = workflow
  await publishWorkflow(teams.parts, teams.scope, BUILDER, workflowId)
  const { database } = teams.parts
  const published = await database.read.workflows.byId(teams.scope.organizationId, id())
  const versionId = published?.activeDeployment?.versionId ?? ''
  const writers: Record<string, (draftRevision: number) => Promise<unknown>> = {
    'another server': (draftRevision) => save({ draftRevision, changes: [step('theirs')] }, new KeptDrafts()),
    JSON: (draftRevision) =>
      updateWorkflow(teams.parts, teams.scope, BUILDER, workflowId, {
        draftRevision,
        draft: graph([step('json').put.node]),
      }),
    'a restored version': (draftRevision) =>
      restoreWorkflowVersion(teams.parts, teams.scope, BUILDER, { workflowId, versionId }, { draftRevision }),
  }
  const idsOf = async () => ((await draft()) as { nodes: { id: string }[] }).nodes.map(({ id }) => id)
  let revision = 1
  const next = async (changes: DraftSaveBody['changes'], by = kept) => {
    revision = (await save({ draftRevision: revision, changes }, by, parts)).draftRevision
  }
  for (const [name, write] of Object.entries(writers)) {
    await next([step('before', name)])
    await write(revision)
    revision += 1
    const written = await idsOf()
    read.length = 0
    await next([step('after', name)])
    expect([name, ...read]).toEqual([name, true])
    expect(await idsOf()).toEqual([...new Set([...written, 'after'])])
  }
})

test('a kept draft is not used when a backup has brought the same revision back with another content', async () => {
  const { read, parts } = watched()
  const kept = new KeptDrafts()
  const backup = graph([step('backup').put.node])
  await save({ draftRevision: 1, changes: [step('lost')] }, kept, parts)
  const stale = kept.find(teams.scope.organizationId, workflow.workflowId)
  await updateWorkflow(teams.parts, teams.scope, BUILDER, workflow.workflowId, {
    draftRevision: 2,
    draft: backup,
  })
  // The row's revision with the time and the text of the lost save.
  if (stale) kept.keep(teams.scope.organizationId, workflow.workflowId, { ...stale, revision: 3 })
  await save({ draftRevision: 3, changes: [step('a')] }, kept, parts)
  expect(read).toEqual([true, true])
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }, { id: 'backup' }, { id: 'a' }] })
})

test('nothing is kept of a save that was not stored', async () => {
  const kept = new KeptDrafts()
  const { database } = teams.parts
  const failing: Pick<SaveDraftParts, 'database'> = {
    database: {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          await work(tx)
          throw new Error('The commit failed.')
        }),
    },
  }
  await save({ draftRevision: 1, changes: [step('a')] }, kept)
  await expect(save({ draftRevision: 2, changes: [step('lost')] }, kept, failing)).rejects.toThrow('commit')
  expect(kept.find(teams.scope.organizationId, workflow.workflowId)).toMatchObject({ revision: 2 })
  await save({ draftRevision: 2, changes: [step('b')] }, kept)
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }, { id: 'a' }, { id: 'b' }] })
})

test('two processes that save concurrently, each on the revision that it read, lose nothing', async () => {
  const processes = [new KeptDrafts(), new KeptDrafts()]
  const names = Array.from({ length: 8 }, (_, at) => `s${at}`)
  const persist = async (name: string, kept: KeptDrafts) => {
    for (;;) {
      const now = (await since(1))?.draftRevision ?? 1
      const code = await codeOf(save({ draftRevision: now, changes: [step(name)] }, kept))
      if (code === null) return
      expect(code).toBe('draft_conflict')
    }
  }
  await Promise.all(
    names.map((name, at) => {
      const kept = processes[at % 2]
      return kept && persist(name, kept)
    }),
  )
  const { nodes } = (await draft()) as { nodes: { id: string }[] }
  expect(nodes.map(({ id }) => id).sort()).toEqual([...names, 'start'].sort())
})

test('characters that PostgreSQL cannot store are replaced in the kept draft as in the stored one', async () => {
  const kept = new KeptDrafts()
  await save({ draftRevision: 1, changes: [step('a', 'N\0L')] }, kept)
  expect(await save({ draftRevision: 2, changes: [step('a', 'N\0L')] }, kept)).toMatchObject({
    draftRevision: 2,
  })
  await save({ draftRevision: 2, changes: [step('b')] }, kept)
  expect(await draft()).toMatchObject({ nodes: [{ id: 'start' }, { name: 'N\ufffdL' }, { id: 'b' }] })
  expect(kept.find(teams.scope.organizationId, workflow.workflowId)?.draft.graph()).toEqual(await draft())
})

test('a save signals the draft only, and no cache of published workflows', async () => {
  const kinds: string[] = []
  const end = teams.parts.database.signals.subscribe(({ kind }) => void kinds.push(kind))
  await save({ draftRevision: 1, changes: [step('a')] })
  end()
  // Twice: from this process, and from the database.
  expect([...new Set(kinds)]).toEqual(['draft_changed'])
})
