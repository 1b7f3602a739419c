import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOptions } from '../apps/server/src/loading/start-options.ts'

const ROOT = join(import.meta.dirname, '..')
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Places that start the server as an operator does, or describe that. */
const STARTS = [
  'package.json',
  'deploy/Dockerfile',
  'docs/guides/operations.md',
  'apps/server/test/crash/program.ts',
  'bench/src/targets/child.ts',
]

// Its limits of memory are measured with these, and hold for a process that is started with them.
test.for(STARTS)('%s starts the server with the same thresholds of memory', (file) => {
  const names = ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
  const given = names.map((name) => new RegExp(`${name}["']?\\s*[=:]\\s*["']?(\\d+)`).exec(textOf(file))?.[1])
  expect(given).toEqual(['131072', '8388608'])
})

/** Options for code of the baseline compiler that does not count its calls: the embedded database runs in such code. */
const WITHOUT_COUNTS = ['--no-wasm-inlining', '--no-wasm-inlining-call-indirect']
const OPTIONS = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=50',
  '--initial-heap-size=96',
  ...WITHOUT_COUNTS,
]

// V8 reuses compiled code only in processes with equal options. An image keeps the code that its build compiled, so the program
// that fills the cache (start-briefly.ts) and every later start have one list.
test('the program that fills the compile cache starts with the options of npm start', () => {
  expect(startOptions()).toEqual(OPTIONS)
})

/** The options in a text in their order, where a place may quote each. */
const optionsIn = (text: string) => text.match(/--[a-z][a-z-]*(?:=\d+)?(?=["'\s,`])/g) ?? []

test.for([
  ['deploy/Dockerfile', /^CMD .*$/m],
  ['docs/guides/operations.md', /`node_modules\/\.bin\/node [^`]*`/],
  ['bench/src/targets/child.ts', /const NODE_OPTIONS = \[[^\]]*\]/],
] as const)('%s starts the server with the options of npm start, and no others', ([file, place]) => {
  expect(optionsIn(place.exec(textOf(file))?.[0] ?? '')).toEqual(OPTIONS)
})

/**
 * A function that calls another one a given number of times, in code of the baseline compiler; prints the shortest of
 * many rounds.
 */
const CALLS = `
  import { setFlagsFromString } from 'node:v8'
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
  const module = [0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 3, 2, 0, 0, 7, 7, 1, 3, 114, 117, 110, 0, 1,
    10, 30, 2, 7, 0, 32, 0, 65, 1, 106, 11, 20, 1, 1, 127, 3, 64, 32, 1, 16, 0, 34, 1, 32, 0, 73, 13, 0, 11, 32, 1, 11]
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(module))).exports
  let shortest = Infinity
  for (let round = 0; round < 400; round++) {
    const since = performance.now()
    run(50_000)
    shortest = Math.min(shortest, performance.now() - since)
  }
  console.log(shortest)`

test('calls in WebAssembly without counts take at most three quarters of the time', () => {
  const shortest = (options: readonly string[]) =>
    Number(
      execFileSync(process.execPath, [...options, '--input-type=module', '--eval', CALLS], {
        encoding: 'utf8',
      }),
    )
  expect(shortest(WITHOUT_COUNTS)).toBeLessThan(shortest([]) * 0.75)
})
