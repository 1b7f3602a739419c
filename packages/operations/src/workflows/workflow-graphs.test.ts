import type { OrganizationId, WorkflowVersionId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { WorkflowGraphs } from './workflow-graphs.ts'

test('graphs are kept within a budget of bytes, the newest first', async () => {
  let reads = 0
  const description = 'x'.repeat(2 * 1024 * 1024)
  const graphs = new WorkflowGraphs(async () => {
    reads += 1
    return { nodes: [], edges: [], description }
  }, new Map())
  const read = (n: number) => graphs.compiled('o' as OrganizationId, `v${n}` as WorkflowVersionId)
  for (let n = 0; n < 40; n += 1) await read(n)
  expect(reads).toBe(40)
  // Each takes 4 MB of 64.
  for (let n = 39; n > 26; n -= 1) await read(n)
  expect(reads).toBe(40)
  await read(0)
  expect(reads).toBe(41)
})
