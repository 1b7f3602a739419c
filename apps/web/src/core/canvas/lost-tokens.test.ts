import { DraftDocument } from '@troupe/editor/document/draft-document'
import { expect, test } from 'vitest'
import { lostTokens } from './lost-tokens.ts'

const step = (id: string, value: string) => ({
  ...{ id, type: 'edit-fields', name: id.toUpperCase(), parentId: null, position: { x: 0, y: 0 } },
  config: { rows: [{ name: 'v', value }] },
})

test('a removal names the steps whose tokens lose their source, the first three by name', () => {
  const readers = ['b', 'c', 'd', 'e', 'f'].map((id) => step(id, '{{ upstream.a.output.v }}'))
  const lost = (count: number, ...ids: string[]) =>
    lostTokens(new DraftDocument({ nodes: [step('a', '1'), ...readers.slice(0, count)], edges: [] }), ids)
  expect(lost(0, 'a')).toBeNull()
  expect(lost(1, 'b')).toBeNull()
  expect(lost(1, 'a')).toBe('Its tokens have lost their source in B. Undo brings it back.')
  expect(lost(5, 'a')).toBe(
    'Its tokens have lost their source in B, C, D and 2 other steps. Undo brings it back.',
  )
  expect(lost(2, 'a', 'b')).toBe('Its tokens have lost their source in C. Undo brings it back.')
})
