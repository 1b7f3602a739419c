import { newId, OrganizationId, WorkflowVersionId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { WorkflowGraphs } from './workflow-graphs.ts'

test('graphs are kept within a budget of bytes, the newest first', async () => {
  let reads = 0
  const description = 'x'.repeat(2 * 1024 * 1024)
  const graphs = new WorkflowGraphs(async () => {
    reads += 1
    return { graph: { nodes: [], edges: [], description }, isDraft: false }
  }, new Map())
  const organizationId = newId(OrganizationId)
  const versions = Array.from({ length: 40 }, () => newId(WorkflowVersionId))
  const read = (n: number) => graphs.compiled(organizationId, versions[n] ?? newId(WorkflowVersionId))
  for (let n = 0; n < 40; n += 1) await read(n)
  expect(reads).toBe(40)
  // Each graph takes 4 MB of 64 MB.
  for (let n = 39; n > 26; n -= 1) await read(n)
  expect(reads).toBe(40)
  await read(0)
  expect(reads).toBe(41)
})

test('tested drafts evict no published graph', async () => {
  const organizationId = newId(OrganizationId)
  const published = Array.from({ length: 500 }, () => newId(WorkflowVersionId))
  const drafts = Array.from({ length: 100 }, () => newId(WorkflowVersionId))
  const isDraft = new Set(drafts)
  const read: WorkflowVersionId[] = []
  const graphs = new WorkflowGraphs(async (_, versionId) => {
    read.push(versionId)
    return { graph: { nodes: [], edges: [] }, isDraft: isDraft.has(versionId) }
  }, new Map())
  const compiled = async (ids: readonly WorkflowVersionId[]) => {
    for (const id of ids) await graphs.compiled(organizationId, id)
  }
  await compiled(published)
  await compiled(drafts)
  read.length = 0
  await compiled(published)
  await compiled(drafts.slice(80).reverse())
  expect(read).toEqual([])
  await compiled(drafts.slice(0, 1))
  expect(read).toEqual(drafts.slice(0, 1))
})

test('a graph requested twice concurrently is read once, and a miss is read again', async () => {
  let reads = 0
  const graphs = new WorkflowGraphs(async () => {
    reads += 1
    return null
  }, new Map())
  const [organizationId, versionId] = [newId(OrganizationId), newId(WorkflowVersionId)]
  const read = () => graphs.compiled(organizationId, versionId)
  expect(await Promise.all([read(), read()])).toEqual([null, null])
  expect(reads).toBe(1)
  await read()
  expect(reads).toBe(2)
})
