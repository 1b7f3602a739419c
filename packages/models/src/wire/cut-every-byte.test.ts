import { PROVIDER_WIRES } from '@troupe/test-kit/provider-streams'
import { describe, expect, it } from 'vitest'
import { bytesOf, cutOutcomes } from '../testing/cut-streams.ts'

describe.each(PROVIDER_WIRES)('$name', (wire) => {
  it.each([
    'text',
    'call',
  ] as const)('%s: cut at every byte, it is whole or a failed attempt', async (kind) => {
    const { bytes } = bytesOf(wire, wire[kind])
    const outcomes = await cutOutcomes(wire, kind, [...Array(bytes.length + 1).keys()])
    expect(outcomes.filter(({ became }) => became !== 'whole' && became !== 'failed')).toEqual([])
    expect(outcomes.at(-1)?.became).toBe('whole')
  }, 300_000)
})
