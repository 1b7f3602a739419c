import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InterpolationScope } from './interpolation-scope.ts'
import { resolveText, resolveValue } from './resolve.ts'
import { tokenize, wholeToken } from './tokenize.ts'

const PROTOTYPE_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'prototype',
  'valueOf',
]
const key = fc.oneof(
  fc.constantFrom('a', 'b', '0', '1', 'a b', ...PROTOTYPE_KEYS),
  fc.string({ maxLength: 4 }),
)
const braceless = key.filter((name) => !/[{}]/.test(name))
const path = fc
  .tuple(
    fc.constantFrom(
      'trigger',
      'upstream.n1.output',
      'variables.v',
      'loop.item',
      'loop.index',
      'env',
      'upstream',
      '',
    ),
    fc.array(key, { maxLength: 3 }),
  )
  .map(([namespace, keys]) => [namespace, ...keys].join('.'))
const piece = fc.oneof(
  path.map((inner) => `{{ ${inner} }}`),
  fc.constantFrom('{{', '}}', '\\{{', '{', '}', '\\', '$&', ' ', '.'),
  fc.string({ maxLength: 6 }),
)
const template = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
const scope: fc.Arbitrary<InterpolationScope> = fc
  .tuple(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), fc.boolean())
  .map(([trigger, output, value, inLoop]) => ({
    trigger,
    upstream: (nodeId) =>
      nodeId === 'n1' ? { ok: true, value: output } : { ok: false, reason: 'no output' },
    variables: new Map([['v', value]]),
    loop: inLoop ? { item: output, index: 0 } : null,
  }))

test('no input makes interpolation throw, and a failure names a token', () => {
  fc.assert(
    fc.property(fc.oneof(template, fc.jsonValue()), scope, (value, at) => {
      const resolved = resolveValue(value, at)
      if (!resolved.ok) expect(resolved.error).toMatch(/^could not resolve \{\{ .*\}\}: ./s)
      const text = resolveText(JSON.stringify(value), at)
      if (text.ok) expect(typeof text.value).toBe('string')
    }),
    { numRuns: 1_000 },
  )
})

test('only data is resolved: no key of a prototype is ever read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(braceless, { minLength: 1, maxLength: 3 }), (trigger, keys) => {
      const at: InterpolationScope = {
        trigger,
        upstream: () => ({ ok: false, reason: '' }),
        variables: new Map(),
        loop: null,
      }
      const resolved = resolveValue(`{{ trigger.${keys.join('.')} }}`, at)
      if (!resolved.ok) return
      expect(JSON.stringify(trigger)).toContain(JSON.stringify(resolved.value))
      expect(typeof resolved.value).not.toBe('function')
    }),
    { numRuns: 1_000 },
  )
})

test('text without braces is unchanged, and the parts of a template concatenate to the template', () => {
  fc.assert(
    fc.property(template, fc.string(), scope, (written, plain, at) => {
      const text = plain.replaceAll('{', '')
      expect(resolveText(text, at)).toEqual({ ok: true, value: text })
      const parts = tokenize(written)
      const again = parts.map((part) =>
        part.kind === 'text' ? part.text : written.slice(part.from, part.to),
      )
      expect(again.join('')).toBe(written.replaceAll('\\{{', '{{'))
    }),
    { numRuns: 1_000 },
  )
})

test('data is passed through unchanged, including its braces', () => {
  fc.assert(
    fc.property(fc.oneof(template, fc.jsonValue()), (trigger) => {
      const at: InterpolationScope = {
        trigger,
        upstream: () => ({ ok: false, reason: '' }),
        variables: new Map(),
        loop: null,
      }
      expect(resolveValue(' {{ trigger }} ', at)).toEqual({ ok: true, value: trigger })
      const text = typeof trigger === 'string' ? trigger : JSON.stringify(trigger)
      expect(resolveText('<{{ trigger }}>', at)).toEqual({ ok: true, value: `<${text}>` })
    }),
    { numRuns: 1_000 },
  )
})

test('a template of only braces is scanned once', () => {
  const at: InterpolationScope = {
    trigger: 1,
    upstream: () => ({ ok: false, reason: '' }),
    variables: new Map(),
    loop: null,
  }
  const before = process.threadCpuUsage()
  for (const part of ['{{', '{{ a', '\\{{', '{{}', '}}']) resolveText(part.repeat(100_000), at)
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(2_000)
  expect(wholeToken(tokenize('{{ a }} {{ b }}'))).toBe(null)
})

test('a value that is nested too deeply is refused, not followed', () => {
  let value: unknown = '{{ trigger }}'
  for (let depth = 0; depth < 20_000; depth++) value = [value]
  const at: InterpolationScope = {
    trigger: value,
    upstream: () => ({ ok: false, reason: '' }),
    variables: new Map(),
    loop: null,
  }
  expect(resolveValue(value, at)).toEqual({ ok: false, error: 'is nested deeper than 100 levels' })
  expect(resolveText('{{ trigger }}', at)).toEqual({
    ok: false,
    error: 'could not resolve {{ trigger }}: its value cannot be written as text',
  })
})

test('a field whose token is nested too deeply is refused, so that steps cannot wrap a value again and again', () => {
  const deep = (levels: number) => Array.from({ length: levels }).reduce<unknown>((inner) => [inner], 1)
  const scopeOf = (trigger: unknown): InterpolationScope => ({
    trigger,
    upstream: () => ({ ok: false, reason: '' }),
    variables: new Map(),
    loop: null,
  })
  expect(resolveValue(['{{ trigger }}'], scopeOf(deep(99)))).toMatchObject({ ok: true })
  const refusal = { ok: false, error: 'is nested deeper than 100 levels' }
  expect(resolveValue(['{{ trigger }}'], scopeOf(deep(100)))).toEqual(refusal)
  expect(resolveValue('{{ trigger }}', scopeOf(deep(101)))).toEqual(refusal)
})
