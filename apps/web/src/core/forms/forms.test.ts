import { isSameJson, valueAt, withValueAt } from '@troupe/editor/values/json-path'
import { expect, test } from 'vitest'
import { agentToolWords } from '../messages/en/agents/agent-tools.ts'
import { AGENT_SPECS, GUARDRAIL_SPECS, TEAM_SPECS, TOOL_SPECS } from './setting-specs.ts'
import { pathPattern } from './setting-words.ts'

test('a value is read and changed by its path, and the previous object stays', () => {
  const before = { a: { list: [{ b: 1 }, { b: 2 }] } }
  const after = withValueAt(before, 'a.list.1.b', 3)
  expect(valueAt(after, 'a.list.1.b')).toBe(3)
  expect(valueAt(before, 'a.list.1.b')).toBe(2)
  expect(withValueAt(before, 'a.list.0', undefined)).toEqual({ a: { list: [{ b: 2 }] } })
  expect(withValueAt({}, 'x.y', 1)).toEqual({ x: { y: 1 } })
})

test('a path never leads into inherited properties', () => {
  expect(valueAt({}, '__proto__.constructor')).toBeUndefined()
  expect(valueAt({}, 'toString')).toBeUndefined()
})

test('values with differently ordered keys are equal', () => {
  expect(isSameJson({ a: [1, { b: 2, c: 3 }] }, { a: [1, { c: 3, b: 2 }] })).toBe(true)
  expect(isSameJson({ a: 1 }, { a: 1, b: undefined })).toBe(false)
})

test('limits, choices and standards come from the contract', () => {
  expect(AGENT_SPECS['model.primary.temperature']).toEqual({
    kind: 'number',
    isNullable: true,
    isInteger: false,
    minimum: 0,
    maximum: 2,
    standard: null,
  })
  expect(AGENT_SPECS['model.fallbacks.*.on']).toMatchObject({ kind: 'choices' })
  expect(AGENT_SPECS['memory.user_memories.scope']?.choices).toEqual(['agent', 'project'])
  expect(AGENT_SPECS['execution.output.schema']).toMatchObject({ kind: 'json', isNullable: true })
  expect(TEAM_SPECS['limits.max_seconds']?.maximum).toBe(3_600)
  expect(TEAM_SPECS['lead.managed.model.mid_stream']?.standard).toBe('fail')
  expect(Object.keys(TOOL_SPECS).toSorted()).toEqual(Object.keys(agentToolWords.kinds).toSorted())
  expect(TOOL_SPECS.openapi?.document).toMatchObject({ kind: 'json', takesText: true })
  expect(TOOL_SPECS.http?.body).not.toHaveProperty('takesText')
  expect(GUARDRAIL_SPECS.pii?.entities?.kind).toBe('choices')
})

test('a place in a list is a star', () => {
  expect(pathPattern('model.fallbacks.12.on')).toBe('model.fallbacks.*.on')
  expect(pathPattern('tools.0')).toBe('tools.*')
})
