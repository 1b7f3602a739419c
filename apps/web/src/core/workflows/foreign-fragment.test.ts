import type { ImportedDraft } from '@troupe/contract/builder'
import { expect, test } from 'vitest'
import { foreignFragment } from './foreign-fragment.ts'

const node = (id: string, type: string) => ({ id, type, name: id, config: {} })
const row = (nodeIds: string[]) => ({ name: 'a', type: 't', outcome: 'step' as const, nodeIds, remarks: [] })

test('steps of the export are pasted with their edges, and a trigger that the import added is not', () => {
  const imported: ImportedDraft = {
    format: 'n8n',
    name: 'x',
    draft: {
      nodes: [node('start', 'manual-trigger'), node('a', 'edit-fields'), node('b', 'edit-fields')],
      edges: [
        { id: 'e1', source: 'start', sourceHandle: 'out', target: 'a' },
        { id: 'e2', source: 'a', sourceHandle: 'out', target: 'b' },
      ],
    },
    report: { rows: [row(['a']), row(['b'])], connections: [], choices: [], remarks: [] },
  }
  const fragment = foreignFragment(imported)
  expect(fragment?.nodes.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(fragment?.edges.map(({ source, target }) => [source, target])).toEqual([['a', 'b']])
  expect(foreignFragment({ ...imported, draft: { nodes: 'x' } })).toBeNull()
})
