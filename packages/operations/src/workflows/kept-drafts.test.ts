import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { asId } from '@troupe/contract'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
})

test('a draft that nobody saves leaves the memory after ten minutes, without another save or read', async () => {
  vi.useFakeTimers()
  // After that, because the library of the cache keeps the clock that it finds.
  const { DraftTexts } = await import('./draft-texts.ts')
  const { KeptDrafts } = await import('./kept-drafts.ts')
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const [organizationId, workflowId] = [asId(crypto.randomUUID()), crypto.randomUUID()]
  const drafts = new KeptDrafts()
  const keep = () => {
    const draft = DraftTexts.of({ nodes: [], edges: [] })
    drafts.keep(organizationId, workflowId, { revision: 2, at: new Date(), draft })
    return new WeakRef(draft)
  }
  const kept = keep()
  /** After a turn, because a weak reference holds what it gave until the end of one. */
  const isThereAfter = async (minutes: number) => {
    await vi.advanceTimersByTimeAsync(minutes * 60_000)
    collect()
    return kept.deref() !== undefined
  }
  expect(await isThereAfter(9)).toBe(true)
  expect(await isThereAfter(2)).toBe(false)
})
