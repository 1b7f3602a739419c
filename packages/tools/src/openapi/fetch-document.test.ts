import { BusyError, type HeavyWork } from '@troupe/heavy-work'
import { expect, test } from 'vitest'
import { fetchDocument } from './fetch-document.ts'
import { readBoundedDocument } from './read-bounded-document.ts'

test('a long document counts among the texts that wait if it was pasted, and in the memory of its download if it was fetched', async () => {
  const waited: { kind: string; heldBytes?: number }[] = []
  const heavy: HeavyWork = {
    run: async (piece, work) => {
      if (piece.kind === 'download') return work()
      waited.push({ kind: piece.kind, heldBytes: piece.heldBytes ?? -1 })
      throw new BusyError('Busy.')
    },
    counts: () => ({ running: 0, waiting: 0 }),
    load: () => [],
    [Symbol.dispose]: () => undefined,
  }
  const text = `# ${'€'.repeat(20_000)}`
  const address = 'https://api.example/openapi.yaml'
  const turn = { heavy, owner: 'a' }
  await expect(readBoundedDocument(turn, { text, address: null, allowed: null })).rejects.toThrow(BusyError)
  const fetched = fetchDocument(
    { ...turn, fetch: async () => new Response(text) },
    { address, allowed: null, signal: AbortSignal.timeout(60_000) },
  )
  await expect(fetched).rejects.toThrow(BusyError)
  expect(waited).toEqual([
    { kind: 'openapi', heldBytes: 2 * text.length },
    { kind: 'openapi', heldBytes: 0 },
  ])
})
