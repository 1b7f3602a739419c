import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Places that start the server as an operator does, or describe that. */
const STARTS = [
  'package.json',
  'deploy/Dockerfile',
  'docs/guides/operations.md',
  'apps/server/test/crash/program.ts',
  'bench/src/targets/child.ts',
]

// Its limits of memory are measured with these, and hold for a process that is started with them.
test.for(STARTS)('%s starts the server with the same young generation and thresholds of memory', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const given = ['max-semi-space-size', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'].map(
    (name) => new RegExp(`${name}["']?\\s*[=:]\\s*["']?(\\d+)`).exec(text)?.[1],
  )
  expect(given).toEqual(['8', '131072', '8388608'])
})
