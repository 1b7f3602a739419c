import type { NodePreview } from '@troupe/contract/builder'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PreviewBatch } from './preview-batch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const at = (nodeId: string, path = '') => ({ nodeId, path })
const preview = (nodeId: string): NodePreview => ({ nodeId, preview: nodeId, isWhole: true, bytes: 3 })

test('visible steps are requested once and in batches, by frame, and at most 32 in a request', async () => {
  const asked: [string, number][] = []
  const batch = new PreviewBatch(
    async (path, ids) => {
      asked.push([path, ids.length])
      return ids.filter((id) => id !== 'none').map(preview)
    },
    () => undefined,
  )
  for (let n = 0; n < 40; n++) batch.want(at(`s${n}`))
  batch.want(at('in', 'loop[0]'))
  batch.want(at('none'))
  batch.want(at('passing'))()
  await vi.advanceTimersByTimeAsync(200)
  expect(asked).toEqual([
    ['', 32],
    ['', 9],
    ['loop[0]', 1],
  ])
  expect(batch.get(at('s3'))).toEqual(preview('s3'))
  expect([batch.get(at('none')), batch.get(at('passing'))]).toEqual([null, undefined])
  batch.want(at('s3'))
  batch.want(at('passing'))
  await vi.advanceTimersByTimeAsync(200)
  expect(asked.slice(3)).toEqual([['', 1]])
})

test('a failed request leaves its steps unknown, and there are no updates after the end', async () => {
  let changes = 0
  let isDown = true
  const batch = new PreviewBatch(
    async (_, ids) => {
      if (isDown) throw new Error('down')
      return ids.map(preview)
    },
    () => changes++,
  )
  batch.want(at('a'))
  await vi.advanceTimersByTimeAsync(200)
  expect(batch.get(at('a'))).toBeUndefined()
  isDown = false
  batch.want(at('a'))
  await vi.advanceTimersByTimeAsync(200)
  expect(batch.get(at('a'))).toEqual(preview('a'))
  const before = changes
  batch.want(at('b'))
  batch.close()
  await vi.advanceTimersByTimeAsync(200)
  expect(changes).toBe(before)
})
