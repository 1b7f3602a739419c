import type { Graph } from '@troupe/graph'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { expect, test } from 'vitest'
import { BUILDER, openTeams } from '../teams/testing/open-teams.ts'
import { createWorkflow } from './create-workflow.ts'
import { KeptDrafts } from './kept-drafts.ts'
import { saveDraftChanges } from './save-draft-changes.ts'

const STEPS = 5_000
const node = (id: string, name = id) => ({
  ...{ id, type: 'edit-fields', name, parentId: null, position: { x: 0, y: 0 } },
  config: { rows: [{ name: 'amount', value: `{{ upstream.${id}.output.amount }}`.repeat(3) }] },
})

/** CPU time of this thread in microseconds. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

test('a save of one change in a draft of 5,000 steps sends its own size in four statements, and takes less than five times as long as reading and writing the draft', async () => {
  let sent: [statement: string, bytes: number][] = []
  await using database = await openReusedDatabase((statement, values) => {
    sent.push([statement, values.reduce<number>((sum, one) => sum + Buffer.byteLength(String(one)), 0)])
  })
  await using teams = await openTeams(database)
  const ids = Array.from({ length: STEPS }, (_, at) => `n${at}`)
  const graph: Graph = {
    nodes: ids.map((id) => node(id)),
    edges: ids
      .slice(1)
      .map((id, at) => ({ id: `e${at}`, source: `n${at}`, sourceHandle: 'out', target: id })),
  }
  const { workflowId } = await createWorkflow(teams.parts, teams.scope, BUILDER, {
    name: 'Large',
    draft: { ...graph },
  })
  const drafts = new KeptDrafts()
  const parts = { database: teams.parts.database, drafts }
  let draftRevision = 1
  const save = async () => {
    const changes = [{ put: { node: node('n2500', `x${draftRevision}`) } }]
    const changeId = crypto.randomUUID()
    const saved = await saveDraftChanges(parts, teams.scope, BUILDER, workflowId, {
      ...{ draftRevision, changeId, changes },
    })
    draftRevision = saved.draftRevision
  }
  // The first save reads the draft, and creates the audit entry into which later ones are merged.
  await save()
  const text = JSON.stringify(graph)
  const saves: number[] = []
  const rounds: number[] = []
  for (let round = 0; round < 12; round += 1) {
    sent = []
    saves.push(await cost(save))
    rounds.push(await cost(() => JSON.stringify(JSON.parse(text))))
    expect(sent.map(([statement]) => statement)).toEqual([
      'lock_workflow_draft',
      'save_workflow_draft',
      'join_audit_entry',
      'notify',
    ])
    // A chunk of the cached draft has up to 127 parts.
    expect(sent.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(text.length / 20)
  }
  // The embedded database also works on the event loop. Hashing the whole draft alone took six times as long.
  const share = median(saves) / median(rounds)
  expect(share < 5 ? 'less than five times' : share).toBe('less than five times')
})
