import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeTypeFolders, outdatedLists } from '../scripts/node-type-lists.ts'
import { NODE_DEFINITIONS } from '../src/definitions.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

test('the lists of the node types are those of their folders: npm run generate:nodes', async () => {
  expect(await outdatedLists(ROOT)).toEqual([])
})

test('the table of node types in the guide has a row for each', () => {
  const guide = readFileSync(join(ROOT, 'docs', 'guides', 'workflows.md'), 'utf8')
  const [, table = ''] = guide.split('| Type | Purpose | Handles | Output |\n')
  const [first = ''] = table.split('\n\n')
  const rows = Array.from(first.matchAll(/^\| `([a-z-]+)` \|/gm), ([, type]) => type)
  expect(rows.toSorted()).toEqual(NODE_DEFINITIONS.map(({ type }) => type).toSorted())
})

test('a folder that is not called as its type is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-node-types-'))
  try {
    mkdirSync(join(folder, 'wait'))
    const definition = "export const delay = { type: 'delay', handles: () => [], schema: {} }\n"
    writeFileSync(join(folder, 'wait', 'definition.ts'), definition)
    await expect(nodeTypeFolders(folder)).rejects.toThrow(
      'wait/definition.ts must export a definition whose type is the name of its folder.',
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
