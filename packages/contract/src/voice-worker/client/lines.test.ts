import { expect, test } from 'vitest'
import { linesOf } from './lines.ts'

async function linesIn(...pieces: (string | Uint8Array)[]): Promise<string[]> {
  const encoder = new TextEncoder()
  async function* body() {
    for (const piece of pieces) yield typeof piece === 'string' ? encoder.encode(piece) : piece
  }
  return Array.fromAsync(linesOf(body()))
}

test('lines are found wherever the chunks of the body end', async () => {
  expect(await linesIn('a\nb', 'c\n', '\nd', 'e')).toEqual(['a', 'bc', '', 'de'])
  expect(await linesIn('a\nb\n')).toEqual(['a', 'b'])
  expect(await linesIn()).toEqual([])
})

test('a character whose bytes arrive in two chunks is one character', async () => {
  const bytes = new TextEncoder().encode('ü\n')
  expect(await linesIn(bytes.slice(0, 1), bytes.slice(1))).toEqual(['ü'])
})

test('a line of a megabyte in 60,000 chunks costs as much as in one', async () => {
  const pieces = Array.from({ length: 60_000 }, () => 'sixteen letters.')
  const [line] = await linesIn(...pieces, '\n')
  expect(line).toHaveLength(960_000)
})
