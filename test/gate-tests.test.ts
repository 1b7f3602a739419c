import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { postgresTests } from './setup/postgres-tests.ts'
import { SLOW_TESTS } from './setup/slow-tests.ts'

const ROOT = join(import.meta.dirname, '..')

const LINES = readFileSync(join(ROOT, '.ci/gate-tests'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '))

const FILES: Readonly<Record<string, () => string[]>> = {
  slow: () => Object.keys(SLOW_TESTS),
  postgres: postgresTests,
  media: () => globSync('{apps,packages}/**/*.media.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] }),
}

test('each slow test is a file', () => {
  expect(Object.keys(SLOW_TESTS).filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
})

test.for(LINES)('the gate runs tests of the kind %s: %s', ([kind = '', path = '']) => {
  const files = FILES[kind]?.() ?? []
  expect(files.filter((file) => file.startsWith(path))).not.toEqual([])
})
