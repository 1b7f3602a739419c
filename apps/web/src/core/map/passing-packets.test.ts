import { expect, test } from 'vitest'
import { MOST_PACKETS, passingPackets } from './passing-packets.ts'

const NONE: ReadonlySet<string> = new Set()
const ways = (count: number, isFlowing = false) =>
  Array.from({ length: count }, (_, index) => ({ key: `way ${index}`, isFlowing }))

test('a connection that was just taken has a packet, one of an earlier picture has none', () => {
  expect([...passingPackets(NONE, new Set(['way 0']), ways(2))]).toEqual(['way 1'])
})

test('excess packets are dropped, so that none plays after others have arrived', () => {
  const moving = passingPackets(NONE, NONE, ways(30))
  expect(moving.size).toBe(MOST_PACKETS)
  const known = new Set(ways(30).map(({ key }) => key))
  expect([...passingPackets(new Set(['way 3']), known, ways(30))]).toEqual(['way 3'])
})

test('a connection to a running step gets no packet for later, when the step has ended', () => {
  const running = passingPackets(NONE, NONE, ways(1, true))
  expect(running.size).toBe(0)
  expect(passingPackets(running, new Set(['way 0']), ways(1)).size).toBe(0)
})

test('a packet is dropped when its connection gets those of a running step, or is hidden', () => {
  const moving = passingPackets(NONE, NONE, ways(1))
  const known = new Set(['way 0'])
  expect(passingPackets(moving, known, ways(1, true)).size).toBe(0)
  expect(passingPackets(moving, known, []).size).toBe(0)
})

test('packets on the way stay when others join them', () => {
  const moving = new Set(['way 0'])
  const known = new Set(['way 0'])
  expect([...passingPackets(moving, known, ways(2))]).toEqual(['way 0', 'way 1'])
  expect(passingPackets(moving, known, ways(1))).toBe(moving)
})
