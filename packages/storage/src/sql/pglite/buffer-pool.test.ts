import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bufferPool } from './buffer-pool.ts'

test.each([
  [0, '16MB'],
  [30, '16MB'],
  [80, '48MB'],
  [2_000, '64MB'],
])('a database of %i MB has a buffer pool of %s', (megabytes, pool) => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-pool-'))
  try {
    mkdirSync(join(folder, 'base', '5'), { recursive: true })
    const file = join(folder, 'base', '5', '16384')
    writeFileSync(file, '')
    truncateSync(file, megabytes * 1024 * 1024)
    expect(bufferPool(folder)).toBe(`shared_buffers = ${pool}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a folder without a database has the smallest', () => {
  expect(bufferPool('/nowhere')).toBe('shared_buffers = 16MB')
})
