import { expect, test, vi } from 'vitest'
import { StorageWatch } from './storage-watch.ts'

const MB = 1024 * 1024

test('a disk is full below 24 MB, and an unreadable one stays as it was', async () => {
  const freeBytes = vi.fn(async () => 0)
  using watch = new StorageWatch('/data', freeBytes)
  expect(watch.full).toBe(false)
  freeBytes.mockResolvedValueOnce(24 * MB)
  expect(await watch.look()).toBe(false)
  freeBytes.mockResolvedValueOnce(24 * MB - 1)
  expect(await watch.look()).toBe(true)
  freeBytes.mockRejectedValueOnce(new Error('EIO'))
  expect([await watch.look(), watch.full]).toEqual([true, true])
  freeBytes.mockResolvedValueOnce(25 * MB)
  expect([await watch.look(), watch.full]).toEqual([false, false])
})

test('a server on PostgreSQL watches no folder', async () => {
  const freeBytes = vi.fn(async () => 0)
  using watch = new StorageWatch(null, freeBytes)
  expect([await watch.look(), watch.full]).toEqual([false, false])
  expect(freeBytes).not.toHaveBeenCalled()
})
