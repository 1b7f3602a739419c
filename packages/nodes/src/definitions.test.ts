import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NodeFailure, type NodeHandler } from '@troupe/workflows/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ExecutedType, NODE_DEFINITIONS, NODE_TYPES } from './definitions.ts'
import { NODE_HANDLERS } from './handlers.ts'
import { executeNode, ScriptedServices } from './testing/execute-node.ts'

test('every type has a handler, except the note', () => {
  const executed = NODE_DEFINITIONS.filter(({ role }) => role !== 'note').map(({ type }) => type)
  expect([...NODE_HANDLERS.keys()].sort()).toEqual([...executed].sort())
})

test('a type without a handler does not compile', () => {
  const handler = NODE_HANDLERS.get('loop') as NodeHandler
  // @ts-expect-error every other type lacks its handler
  const incomplete: Record<ExecutedType, NodeHandler> = { loop: handler }
  expect(Object.keys(incomplete)).toEqual(['loop'])
})

test('effects have effect handlers, everything else pure ones', () => {
  for (const { type, role } of NODE_DEFINITIONS) {
    const kind = role === 'note' ? undefined : role === 'effect' ? 'effect' : 'pure'
    expect([type, NODE_HANDLERS.get(type)?.kind]).toEqual([type, kind])
  }
})

test('a note has no handles and accepts any config', () => {
  const note = NODE_TYPES.get('note')
  expect(note?.handles({})).toEqual([])
  expect(note?.check({})).toEqual([])
  expect(note?.check({ markdown: 1, color: null }).map(({ path }) => path)).toEqual(['markdown', 'color'])
})

const plain = (schema: unknown) => schema as { properties: Record<string, { title?: string }> }

test('every type has its texts, and every key of a config a title', () => {
  for (const { type, title, summary, icon, schema } of NODE_DEFINITIONS) {
    expect([type, title !== '' && summary.endsWith('.') && /^[a-z-]+$/.test(icon)]).toEqual([type, true])
    for (const [key, property] of Object.entries(plain(schema).properties)) {
      expect([type, key, typeof property.title]).toEqual([type, key, 'string'])
    }
  }
})

/** Every choice below a schema, with its path. */
function choicesIn(schema: unknown, place: string): [place: string, missing: string[]][] {
  if (typeof schema !== 'object' || schema === null) return []
  const { enum: values, choices = {} } = schema as { enum?: unknown[]; choices?: Record<string, string> }
  const named = (values ?? []).filter((value): value is string => typeof value === 'string')
  const missing = named.filter((value) => !/^[A-Z]/.test(choices[value] ?? ''))
  return [
    ...(values === undefined ? [] : [[place, missing] satisfies [string, string[]]]),
    ...Object.entries(schema).flatMap(([key, part]) => choicesIn(part, `${place}.${key}`)),
  ]
}

test('each value of a choice has a title', () => {
  const found = NODE_DEFINITIONS.flatMap(({ type, schema }) => choicesIn(schema, type))
  expect(found.length).toBeGreaterThan(12)
  expect(found.filter(([, missing]) => missing.length > 0)).toEqual([])
})

test('the schemas are plain JSON', () => {
  for (const { schema } of NODE_DEFINITIONS) {
    expect(JSON.parse(JSON.stringify(schema))).toMatchObject({ type: 'object' })
  }
})

/** The files that a file loads at run time, itself included. */
function loaded(file: string, found = new Map<string, string>()): Map<string, string> {
  if (found.has(file)) return found
  const text = readFileSync(file, 'utf8')
  found.set(file, text)
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gms)) {
    loaded(join(dirname(file), specifier), found)
  }
  return found
}

test('a browser that loads the definitions loads nothing of the server', () => {
  const files = loaded(join(import.meta.dirname, 'definitions.ts'))
  expect(files.size).toBeGreaterThan(20)
  for (const [file, text] of files) {
    const outside = [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, specifier]) => specifier)
    const allowed = ['@troupe/contract', '@troupe/graph', '@troupe/json-schema', 'typebox', 'typebox/schema']
    expect([file, outside.filter((name) => !allowed.includes(name ?? ''))]).toEqual([file, []])
    expect([file, /execute\.ts|\/execution\//.test(file)]).toEqual([file, false])
  }
})

const KEYS = [
  ...new Set(NODE_DEFINITIONS.flatMap(({ schema }) => Object.keys(plain(schema).properties))),
  'name',
  'label',
  'type',
  'id',
  'op',
  'left',
  'right',
  'value',
  'options',
  'kind',
  'llm_config_id',
  'primary',
  'fallbacks',
  '__proto__',
]
const WORDS = [
  'list',
  'count',
  'while',
  'cron',
  'interval',
  'basic',
  'select',
  'eq',
  'matches',
  'checkboxes',
  'date',
]
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, '', '{{ trigger.a }}', '{{', '(', 'x', ...WORDS),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('tree'), { maxKeys: 6 }),
  ),
}))
const config = fc.dictionary(fc.constantFrom(...KEYS), tree, { maxKeys: 10 })

test.for(NODE_DEFINITIONS.map(({ type }) => type))('%s never throws for any config', (type) => {
  const definition = NODE_TYPES.get(type)
  fc.assert(
    fc.property(config, (given) => {
      const before = JSON.stringify(given)
      const handles = definition?.handles(given) ?? []
      expect(new Set(handles).size).toBe(handles.length)
      const problems = definition?.check(given) ?? []
      expect(problems.every(({ message }) => message !== '')).toBe(true)
      const isBlocked = problems.some(({ severity }) => severity === 'block')
      if (!isBlocked) expect(definition?.read(given).ok).toBe(true)
      definition?.templates?.(given)
      definition?.references?.(given)
      definition?.writes?.(given)
      definition?.fields?.(given)
      definition?.answers?.(given)
      definition?.repeatsWhile?.(given)
      expect(JSON.stringify(given)).toBe(before)
    }),
    { numRuns: 300 },
  )
})

// `String` throws for such an object, which JSON can contain.
test.for(['if-else', 'loop'])('%s reports an operator that is not a string', (type) => {
  const conditions = { conditions: [{ left: 'x', op: { toString: 1, valueOf: 1 } }] }
  const given = type === 'loop' ? { mode: 'while', condition: conditions } : conditions
  expect(NODE_TYPES.get(type)?.check(given)).not.toEqual([])
  expect(
    NODE_TYPES.get(type)
      ?.templates?.(given)
      ?.map(({ value }) => value),
  ).toContain('x')
})

test.for([...NODE_HANDLERS.keys()] as ExecutedType[])('%s fails in words or not at all', async (type) => {
  await fc.assert(
    fc.asyncProperty(config, tree, async (given, trigger) => {
      const services = new ScriptedServices({ outcomes: [{ content: 'x' }], answers: ['x', 'y'] })
      const outcome = await executeNode(type, given, { trigger, services }).catch((error: unknown) => error)
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(NodeFailure)
    }),
    { numRuns: 100 },
  )
})
