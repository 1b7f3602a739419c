import { mergeAgentConfig } from '@troupe/contract'
import { expect, test } from 'vitest'
import { memberNotes } from './member-notes.ts'

function agent(tools: unknown[] = []) {
  const merged = mergeAgentConfig({ tools })
  if (!merged.ok) throw new Error(JSON.stringify(merged.errors))
  return { status: 'active' as const, config: { ...merged.config } }
}
const tool = (required: boolean) => ({
  type: 'builtin',
  name: 'orders',
  builtin: 'calculator',
  context_keys: [{ key: 'customer_id', required }],
})

test('a member without surprises has no notes', () => {
  expect(memberNotes(agent())).toEqual([])
  expect(memberNotes(agent([tool(false)]))).toEqual([])
})

test('drafts, archived agents, and tools that need values of the caller are reported', () => {
  expect(memberNotes({ ...agent(), status: 'draft' })).toHaveLength(1)
  expect(memberNotes({ ...agent(), status: 'archived' })).toHaveLength(1)
  const [note] = memberNotes(agent([tool(true)]))
  expect(note).toContain('orders')
  expect(note).toContain('customer_id')
})
