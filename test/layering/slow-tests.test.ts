import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postgresTests } from '../setup/postgres-tests.ts'
import { SLOW_TESTS } from '../setup/slow-tests.ts'

const ROOT = join(import.meta.dirname, '..', '..')

test('every slow test file exists', () => {
  expect(Object.keys(SLOW_TESTS).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('a file runs on PostgreSQL if it starts a server itself or through a file next to it, and only then', () => {
  const found = postgresTests()
  expect(found).toContain('apps/server/test/runs/run.test.ts')
  expect(found).toContain('apps/server/test/teams/toggles.test.ts')
  expect(found).not.toContain('apps/server/src/config/config.test.ts')
  expect(found).not.toContain('packages/operations/test/workflow-runs/loop-memory.test.ts')
  // It starts its own PostgreSQL.
  expect(found).not.toContain('apps/server/test/reviews/races.test.ts')
})
