import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createHeavyWork } from '@troupe/heavy-work'
import { expect, test } from 'vitest'
import { BundleError } from './problem.ts'
import { readBounded } from './read-bounded.ts'
import { readBundle } from './read-bundle.ts'

const TURN = { heavy: createHeavyWork(), owner: 'o' }

const projects = Array.from({ length: 600 }, (_, index) => `      - { slug: p${index}, name: P }`)
const LARGE = [
  'apiVersion: troupe/v1',
  'organizations:',
  '  - slug: a',
  '    name: A',
  '    projects:',
  ...projects,
  '',
].join('\n')

test('a long text is read in a process with the same result as a short one in the thread', async () => {
  const inProcess = await readBounded(TURN, LARGE, null)
  const atOnce = readBundle(LARGE, null)
  expect(inProcess.problems).toEqual([])
  expect(inProcess.organizations).toEqual(atOnce.organizations)
  expect(inProcess.lines.at('organizations.0.projects.599')).toBe(605)
})

test('40,000 keys are compared in linear time', async () => {
  const keys = Array.from({ length: 40_000 }, (_, index) => `k${index}: 1`)
  const { problems } = await readBounded(TURN, [...keys, 'k7: 2'].join('\n'), null)
  expect(problems).toContainEqual({
    path: '',
    message: 'is not valid YAML: map keys must be unique',
    line: 40_001,
  })
}, 60_000)

test.for<[string, string, string]>([
  ['brackets', '['.repeat(50_000), 'must not have more than 64 levels'],
  ['numbers', `[${'1,'.repeat(200_000)}1]`, 'must not have more than 200000 values'],
])('a bundle in JSON with too many %s is refused before it is parsed', async ([, text, message]) => {
  const refusal = await readBounded(TURN, text, null).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ problems: [{ message }] })
})

test('a text with more lines than a bundle may have is refused before it is parsed', async () => {
  const limits = { timeMs: 20_000, heapMb: 64 }
  const refusal = await readBounded({ ...TURN, limits }, '\n'.repeat(8_000_000), null)
  expect(refusal.problems).toEqual([
    { path: '', message: 'must not have more than 400000 lines', line: null },
  ])
})

test.for<[string, string]>([
  ['brackets', `a: ${'['.repeat(4_000_000)}`],
  ['commas', `a: [${','.repeat(8_000_000)}]`],
])('8 MB of %s are abandoned, and the process answers in the meantime', { timeout: 60_000 }, async ([
  ,
  text,
]) => {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const outcome = await readBounded({ ...TURN, limits: { timeMs: 2_000, heapMb: 512 } }, text, null).catch(
    (error: unknown) => error,
  )
  delay.disable()
  if (outcome instanceof Error) {
    expect(outcome).toBeInstanceOf(BundleError)
    expect(outcome).toMatchObject({ problems: [{ message: 'takes too much time or memory to be read' }] })
  }
  expect(delay.max / 1e6).toBeLessThan(1_000)
})
