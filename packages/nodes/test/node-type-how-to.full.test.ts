import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bin, howToSteps, PackageCopy } from './how-to-steps.ts'

// Each compilation takes half a minute on two busy cores.

function compile(copy: PackageCopy): string {
  const { stdout } = spawnSync(process.execPath, [bin('typescript/bin/tsc'), '--noEmit', '-p', copy.folder], {
    encoding: 'utf8',
  })
  return stdout
}

test('the node type of the page compiles', async () => {
  using copy = new PackageCopy()
  for (const step of howToSteps()) copy.apply(step)
  await copy.writeLists()
  expect(compile(copy)).toBe('')
})

test('the node type of the page does not compile without its handler', async () => {
  using copy = new PackageCopy()
  for (const step of howToSteps()) if (!step.path.endsWith('execute.ts')) copy.apply(step)
  await copy.writeLists()
  expect(compile(copy)).toMatch(/src\/generated\/handlers\.ts.*join-list/)
})

test('the node type of the page does not compile before the lists are written', () => {
  using copy = new PackageCopy()
  for (const step of howToSteps()) copy.apply(step)
  expect(compile(copy)).toMatch(/join-list\.test\.ts.*join-list/)
})
