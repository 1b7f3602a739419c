import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bin, guideSteps, PackageCopy } from './guide-steps.ts'

test('the guide adds one folder and two entries', () => {
  expect(guideSteps().map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'ts src/join-list/definition.ts',
    'ts src/join-list/execute.ts',
    'diff src/definitions.ts',
    'diff src/handlers.ts',
    'ts src/join-list/join-list.test.ts',
  ])
})

test('the node of the guide passes its test', { timeout: 180_000 }, () => {
  using copy = new PackageCopy()
  for (const step of guideSteps()) copy.apply(step)
  const run = spawnSync(
    process.execPath,
    [bin('vitest/vitest.mjs'), 'run', '--root', copy.folder, '--testTimeout=60000', 'join-list'],
    { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  )
  expect(run.stdout).toMatch(/Tests\s+6 passed/)
})
