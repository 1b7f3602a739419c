import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseEncryptionKeys } from './encryption-keys.ts'
import { SecretBox, type SecretPlace } from './secret-box.ts'

const key = (id: string) => ({ id, key: randomBytes(32) })
const place: SecretPlace = { purpose: 'llm_configuration.credentials', id: 'a1' }

describe('a secret box', () => {
  test('opens what it sealed, and two envelopes of one secret differ', () => {
    const box = new SecretBox([key('k1')])
    const [first, second] = [box.seal('sk-ü', place), box.seal('sk-ü', place)]
    expect(box.open(first, place)).toBe('sk-ü')
    expect(first).not.toBe(second)
    expect(first).toMatch(/^k1(\.[A-Za-z0-9_-]+){3}$/)
  })

  test('refuses an envelope that was moved to another row', () => {
    const box = new SecretBox([key('k1')])
    expect(() => box.open(box.seal('sk', place), { ...place, id: 'b2' })).toThrow()
  })

  test('refuses an envelope in which any part was changed', () => {
    const box = new SecretBox([key('k1')])
    const parts = box.seal('secret', place).split('.')
    for (const index of [1, 2, 3]) {
      const changed = parts.map((part, at) =>
        at === index ? part.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')) : part,
      )
      expect(() => box.open(changed.join('.'), place)).toThrow()
    }
    expect(() => box.open('k1..', place)).toThrow()
  })

  test('opens with any of its keys, seals with the first, and reseals under it', () => {
    const [older, newer] = [key('older'), key('newer')]
    const envelope = new SecretBox([older]).seal('sk', place)
    const box = new SecretBox([newer, older])
    expect(box.open(envelope, place)).toBe('sk')
    const again = box.reseal(envelope, place)
    expect(again).toMatch(/^newer\./)
    expect(new SecretBox([newer]).open(again, place)).toBe('sk')
    expect(box.reseal(again, place)).toBe(again)
  })

  test('names the missing key and nothing else', () => {
    const envelope = new SecretBox([key('gone')]).seal('sk', place)
    expect(() => new SecretBox([key('k1')]).open(envelope, place)).toThrow(
      'no encryption key with the id "gone"',
    )
  })
})

describe('encryption keys', () => {
  const material = randomBytes(32).toString('base64')

  test('one key without an id is the default one', () => {
    expect(parseEncryptionKeys(material)).toMatchObject({ ok: true, keys: [{ id: 'default' }] })
  })

  test('a list keeps its order', () => {
    const other = randomBytes(32).toString('base64url')
    const parsed = parseEncryptionKeys(`new:${material}, old:${other}`)
    expect(parsed.ok && parsed.keys.map(({ id }) => id)).toEqual(['new', 'old'])
  })

  test('every unusable key is reported, without its material', () => {
    const parsed = parseEncryptionKeys(`k1:short,k1:${material},k 2:${material},k1:${material}`)
    expect(parsed).toEqual({
      ok: false,
      problems: [
        'Key 1 must be 32 bytes in base64 (openssl rand -base64 32).',
        'Key 3 must have an id of 1 to 32 letters, digits, _ and - before the colon.',
        'Key 4 has the same id as an earlier one.',
      ],
    })
  })
})
