import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AgentConfig } from './agent-config.ts'
import { mergeAgentConfig } from './check.ts'
import { AGENT_CONFIG_DEFAULTS, FALLBACK_DEFAULTS } from './defaults.ts'
import { isReservedOption } from './provider-options.ts'

const maybeNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const part = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T) =>
  fc.record(model, { requiredKeys: [] })
const key = fc
  .string({ minLength: 1, maxLength: 8 })
  .filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name))

/** JSON without reserved keys. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value)))

const parameters = {
  model_id: maybeNull(fc.stringMatching(/^[A-Za-z0-9_:@+-]{1,20}$/)),
  temperature: maybeNull(fc.double({ min: 0, max: 2, noNaN: true })),
  seed: maybeNull(fc.integer()),
  stop_sequences: maybeNull(fc.array(fc.string({ minLength: 1 }), { maxLength: 4 })),
  provider_options: fc.dictionary(
    key.filter((name) => !isReservedOption(name)),
    json,
    { maxKeys: 3 },
  ),
}
/** Patches that are valid on top of any valid configuration. */
const validPatch = part({
  model: part({
    primary: maybeNull(part(parameters)),
    fallbacks: maybeNull(fc.array(part(parameters), { maxLength: 5 })),
    mid_stream: maybeNull(fc.constantFrom('fail', 'restart')),
  }),
  instructions: maybeNull(fc.string({ maxLength: 200 })),
  prompt: maybeNull(
    part({
      add_datetime: maybeNull(fc.boolean()),
      timezone: maybeNull(fc.constantFrom('UTC', 'Asia/Tokyo')),
    }),
  ),
  memory: part({ summary: part({ trigger_tokens: maybeNull(fc.integer({ min: 1_000, max: 100_000 })) }) }),
  execution: maybeNull(
    part({
      max_steps: maybeNull(fc.integer({ min: 1, max: 100 })),
      max_tool_calls: fc.integer({ min: 0, max: 500 }),
    }),
  ),
  skills: maybeNull(
    fc.array(fc.record({ slug: fc.string({ minLength: 1, maxLength: 64 }) }), { maxLength: 4 }),
  ),
  metadata: maybeNull(fc.dictionary(key, maybeNull(fc.string({ maxLength: 20 })), { maxKeys: 4 })),
  future: json,
}) as fc.Arbitrary<Record<string, unknown>>
const anything = fc.dictionary(
  fc.oneof(key, fc.constantFrom(...Object.keys(AGENT_CONFIG_DEFAULTS))),
  fc.anything(),
) as fc.Arbitrary<Record<string, unknown>>

function merged(patch: Record<string, unknown>, stored?: AgentConfig): AgentConfig {
  const result = mergeAgentConfig(patch, stored)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.config
}
const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

test('merging valid patches yields a valid whole', () => {
  fc.assert(
    fc.property(fc.array(validPatch, { maxLength: 4 }), (patches) => {
      const config = patches.reduce<AgentConfig>((stored, patch) => merged(patch, stored), merged({}))
      expect(mergeAgentConfig(config as unknown as Record<string, unknown>)).toEqual({ ok: true, config })
    }),
  )
})

test('merging the same patch again changes nothing', () => {
  fc.assert(
    fc.property(validPatch, validPatch, (before, patch) => {
      const once = merged(patch, merged(before))
      expect(merged(patch, once)).toEqual(once)
      expect(merged({}, once)).toEqual(once)
    }),
  )
})

test('neither the patch, the stored configuration nor the defaults are changed or shared', () => {
  const defaults = structuredClone({ AGENT_CONFIG_DEFAULTS, FALLBACK_DEFAULTS })
  fc.assert(
    fc.property(validPatch, validPatch, (before, patch) => {
      const stored = merged(before)
      const storedCopy = structuredClone(stored)
      const patchCopy = structuredClone(patch)
      const config = merged(patch, stored)
      scribble(config)
      expect(patch).toEqual(patchCopy)
      expect(stored).toEqual(storedCopy)
      expect({ AGENT_CONFIG_DEFAULTS, FALLBACK_DEFAULTS }).toEqual(defaults)
    }),
  )
})

/** Overwrites everything reachable. */
function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const child of Object.values(value)) scribble(child)
  for (const name of Object.keys(value)) (value as Record<string, unknown>)[name] = 'scribbled'
  if (Array.isArray(value)) value.push('scribbled')
}

test('absent fields keep their values', () => {
  fc.assert(
    fc.property(validPatch, validPatch, (before, patch) => {
      const stored = merged(before) as unknown as Record<string, unknown>
      const config = merged(patch, stored as unknown as AgentConfig) as unknown as Record<string, unknown>
      for (const name of Object.keys(stored)) if (!(name in patch)) expect(config[name]).toEqual(stored[name])
    }),
  )
})

test('any JSON object is merged or refused, never throws, and pollutes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.dictionary(key, fc.jsonValue()), anything.map(toJsonObject)), (patch) => {
      const result = mergeAgentConfig(patch)
      if (!result.ok) for (const error of result.errors) expect(error.path).toMatch(/^config/)
      else
        expect(asJson(result.config)).toEqual(
          asJson(merged(asJson(result.config) as unknown as Record<string, unknown>)),
        )
      expect(Object.keys(Object.prototype)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

function toJsonObject(value: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(value)) as Record<string, unknown>
  } catch {
    return {}
  }
}
