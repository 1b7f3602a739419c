import { PROVIDER_WIRES } from '@troupe/test-kit/provider-streams'
import { describe, expect, it } from 'vitest'
import { bytesOf, cutOutcomes } from '../testing/cut-streams.ts'

/** A prime, so that the cuts fall on every position of a line. `cut-every-byte.test.ts` cuts at every byte. */
const STEP = 41

describe.each(PROVIDER_WIRES)('$name', (wire) => {
  it.each([
    'text',
    'call',
  ] as const)('%s: cut after any event or within one, it is whole or a failed attempt', async (kind) => {
    const { bytes, ends } = bytesOf(wire, wire[kind])
    const within = Array.from({ length: Math.ceil(bytes.length / STEP) }, (_, index) => index * STEP)
    const outcomes = await cutOutcomes(wire, kind, [...new Set([...within, ...ends])])
    expect(outcomes.filter(({ became }) => became !== 'whole' && became !== 'failed')).toEqual([])
    expect(outcomes.find(({ at }) => at === bytes.length)?.became).toBe('whole')
    expect(outcomes.find(({ at }) => at === 0)?.became).toBe('failed')
  })
})
