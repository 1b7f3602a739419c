import type { OrganizationId, WorkflowVersionId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { WorkflowGraphs } from './workflow-graphs.ts'

test('graphs are kept within a budget of bytes, the newest first', async () => {
  let reads = 0
  const description = 'x'.repeat(2 * 1024 * 1024)
  const graphs = new WorkflowGraphs(async () => {
    reads += 1
    return { graph: { nodes: [], edges: [], description }, isDraft: false }
  }, new Map())
  const read = (n: number) => graphs.compiled('o' as OrganizationId, `v${n}` as WorkflowVersionId)
  for (let n = 0; n < 40; n += 1) await read(n)
  expect(reads).toBe(40)
  // Each graph takes 4 MB of 64 MB.
  for (let n = 39; n > 26; n -= 1) await read(n)
  expect(reads).toBe(40)
  await read(0)
  expect(reads).toBe(41)
})

test('tested drafts evict no published graph', async () => {
  const read: string[] = []
  const graphs = new WorkflowGraphs(async (_, versionId) => {
    read.push(versionId)
    return { graph: { nodes: [], edges: [] }, isDraft: versionId.startsWith('draft') }
  }, new Map())
  const compiled = (id: string) => graphs.compiled('o' as OrganizationId, id as WorkflowVersionId)
  for (let n = 0; n < 500; n += 1) await compiled(`v${n}`)
  for (let n = 0; n < 100; n += 1) await compiled(`draft${n}`)
  read.length = 0
  for (let n = 0; n < 500; n += 1) await compiled(`v${n}`)
  for (let n = 99; n >= 80; n -= 1) await compiled(`draft${n}`)
  expect(read).toEqual([])
  await compiled('draft0')
  expect(read).toEqual(['draft0'])
})

test('a graph requested twice concurrently is read once, and a miss is read again', async () => {
  let reads = 0
  const graphs = new WorkflowGraphs(async () => {
    reads += 1
    return null
  }, new Map())
  const read = () => graphs.compiled('o' as OrganizationId, 'v' as WorkflowVersionId)
  expect(await Promise.all([read(), read()])).toEqual([null, null])
  expect(reads).toBe(1)
  await read()
  expect(reads).toBe(2)
})
