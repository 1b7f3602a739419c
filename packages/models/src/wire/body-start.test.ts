import { describe, expect, it, vi } from 'vitest'
import { type BodyKind, bodyKind } from './body-start.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

describe('the kind of a body by its first bytes', () => {
  const cases: [text: string, streamed: BodyKind | null, plain: BodyKind | null][] = [
    ['data: {}', 'stream', 'other'],
    ['data:', 'stream', 'other'],
    ['event: a', 'stream', 'other'],
    ['retry:1', 'stream', 'other'],
    ['id:1', 'stream', 'other'],
    [': hello', 'stream', 'other'],
    ['data \t  \t : {}', 'stream', 'other'],
    ['\n\n data: {}', 'stream', 'other'],
    ['\ufeffdata: {}', 'stream', 'other'],
    ['\ufeff\n{"a":1}', 'json', 'json'],
    ['{', 'json', 'json'],
    ['  [1', 'json', 'json'],
    ['dat', null, 'other'],
    ['database', 'other', 'other'],
    ['<', 'other', 'other'],
    [' ', null, null],
  ]

  for (const [text, streamed, plain] of cases) {
    it(`is ${streamed} for ${JSON.stringify(text)} in answer to a request for a stream, else ${plain}`, () => {
      expect(bodyKind(bytes(text), 'chat', false)).toBe(streamed)
      expect(bodyKind(bytes(text), 'json', false)).toBe(plain)
      expect(bodyKind(bytes(text), 'converse', false)).toBe(plain)
    })
  }

  it('is found without decoding a beginning that tells it', () => {
    const decode = vi.spyOn(TextDecoder.prototype, 'decode')
    const rest = 'x'.repeat(4096)
    expect(bodyKind(bytes(`data: ${rest}`), 'chat', false)).toBe('stream')
    expect(bodyKind(bytes(`{"a":"${rest}`), 'json', false)).toBe('json')
    expect(decode).not.toHaveBeenCalled()
    expect(bodyKind(bytes(`\n data: ${rest}`), 'chat', false)).toBe('stream')
    expect(decode).toHaveBeenCalled()
    decode.mockRestore()
  })
})
