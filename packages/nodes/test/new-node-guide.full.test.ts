import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bin, guideSteps, PackageCopy } from './guide-steps.ts'

// Each compilation takes half a minute on two busy cores.

function compile(copy: PackageCopy): string {
  const { stdout } = spawnSync(process.execPath, [bin('typescript/bin/tsc'), '--noEmit', '-p', copy.folder], {
    encoding: 'utf8',
  })
  return stdout
}

test('the node of the guide compiles', () => {
  using copy = new PackageCopy()
  for (const step of guideSteps()) copy.apply(step)
  expect(compile(copy)).toBe('')
})

test.for([
  'src/definitions.ts',
  'src/handlers.ts',
])('the node of the guide does not compile without its entry in %s', (left) => {
  using copy = new PackageCopy()
  for (const step of guideSteps()) if (step.path !== left) copy.apply(step)
  expect(compile(copy)).toMatch(/src\/(handlers|join-list\/join-list\.test)\.ts.*join-list/)
})
