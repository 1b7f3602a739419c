import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bin, howToSteps, PackageCopy } from './how-to-steps.ts'

test('the page adds one folder', () => {
  expect(howToSteps().map(({ path }) => path)).toEqual([
    'src/join-list/definition.ts',
    'src/join-list/execute.ts',
    'src/join-list/join-list.test.ts',
  ])
})

test('the node type of the page passes its test', { timeout: 180_000 }, async () => {
  using copy = new PackageCopy()
  for (const step of howToSteps()) copy.apply(step)
  await copy.writeLists()
  const run = spawnSync(
    process.execPath,
    [bin('vitest/vitest.mjs'), 'run', '--root', copy.folder, '--testTimeout=60000', 'join-list'],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )
  expect(run.stdout).toMatch(/Tests\s+6 passed/)
})
