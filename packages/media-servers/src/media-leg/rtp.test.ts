import { expect, test } from 'vitest'
import { KeyReader, pressPayloads } from './keypad-events.ts'
import { RtpWriter, readRtp } from './rtp.ts'

test('a written packet is read again, with the next number', () => {
  const writer = new RtpWriter()
  const packet = { payloadType: 101, marker: true, timestamp: 0xffff_fff0, payload: Buffer.from('abc') }
  const [first, second] = [writer.write(packet), writer.write({ ...packet, marker: false })]
  expect(readRtp(first)).toEqual(packet)
  expect(readRtp(second)?.marker).toBe(false)
  expect(second.readUInt16BE(2)).toBe((first.readUInt16BE(2) + 1) & 0xffff)
  expect(second.readUInt32BE(8)).toBe(first.readUInt32BE(8))
})

test('contributing sources and header extensions are skipped', () => {
  const header = Buffer.alloc(12)
  // Version 2, an extension, one contributing source.
  header.writeUInt8(0x91, 0)
  const extension = Buffer.from([0xbe, 0xde, 0x00, 0x01, 1, 2, 3, 4])
  const bytes = Buffer.concat([header, Buffer.alloc(4), extension, Buffer.from('audio')])
  expect(readRtp(bytes)?.payload.toString()).toBe('audio')
})

test.for([
  ['nothing', Buffer.alloc(0)],
  ['less than a header', Buffer.alloc(11, 0x80)],
  ['another version', Buffer.alloc(20, 0x40)],
  ['sources that are not there', Buffer.concat([Buffer.from([0x8f]), Buffer.alloc(11)])],
  ['an extension that is not there', Buffer.concat([Buffer.from([0x90]), Buffer.alloc(11)])],
] as const)('%s is not a packet', ([, bytes]) => {
  expect(readRtp(bytes)).toBeNull()
})

test('each key press is read once, however often its end is repeated, and two presses of one key are two', () => {
  const reader = new KeyReader()
  const pressed = [...'4719*#1'].flatMap((key, index) =>
    pressPayloads(key).flatMap((payload) => reader.read({ timestamp: index * 8_000, payload }) ?? []),
  )
  expect(pressed.join('')).toBe('4719*#1')
  const twice = [1, 2].flatMap((timestamp) =>
    pressPayloads('5').flatMap((payload) => reader.read({ timestamp, payload }) ?? []),
  )
  expect(twice).toEqual(['5', '5'])
})

test('a press grows by its packets, and its last three end it with the same length', () => {
  const payloads = pressPayloads('#')
  expect(payloads.map((payload) => payload.readUInt16BE(2))).toEqual([160, 320, 480, 640, 800, 800, 800])
  expect(payloads.map((payload) => (payload.readUInt8(1) & 0x80) !== 0)).toEqual([
    ...[false, false, false, false],
    ...[true, true, true],
  ])
  expect(payloads.every((payload) => payload.readUInt8(0) === 11)).toBe(true)
  expect(() => pressPayloads('x')).toThrow('There is no key x')
})
