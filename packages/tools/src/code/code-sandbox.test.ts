import { BusyError, createHeavyWork } from '@troupe/heavy-work'
import { afterAll, expect, test } from 'vitest'
import { createCodeSandbox } from './code-sandbox.ts'

const sandbox = createCodeSandbox({ heavy: createHeavyWork() })
afterAll(() => sandbox[Symbol.asyncDispose]())

const never = new AbortController().signal
const run = (
  source: string,
  { input = {}, timeoutMs = 2_000, memoryMb = 16, signal = never, owner = 'a', pool = sandbox } = {},
) => pool.run({ source, timeoutMs, memoryMb }, JSON.stringify(input), owner, signal)
const ENDLESS = 'export default () => { while (true) {} }'

test.each([
  ['export default ({ a, b }) => a + b', '3'],
  ['export default async (input) => { await null; return { input } }', '{"input":{"a":1,"b":2}}'],
  ['const { a } = await Promise.resolve({ a: 1 }); export default () => a', '1'],
  ['export default () => undefined', 'null'],
  ['export default () => typeof Date.now()', '"number"'],
  ['JSON.stringify = () => "forged"; export default () => 1', '1'],
  [
    'export default () => [typeof fetch, typeof process, typeof require, typeof setTimeout, typeof WebAssembly].join()',
    '"undefined,undefined,undefined,undefined,undefined"',
  ],
])('%s returns %s', async (source, json) => {
  expect(await run(source, { input: { a: 1, b: 2 } })).toEqual({ ok: true, json })
})

test.each([
  ['an endless loop', ENDLESS, 'time', /^The script did not finish within 300 ms/],
  [
    'a loop that catches everything',
    'export default () => { for (;;) try { for (;;); } catch {} }',
    'time',
    /300 ms/,
  ],
  ['endless microtasks', 'export default async () => { for (;;) await null }', 'time', /300 ms/],
  ['a costly pattern', `export default () => /(a+)+$/.test('a'.repeat(40) + 'b')`, 'time', /300 ms/],
  ['a slow toJSON', 'export default () => ({ toJSON() { for (;;); } })', 'time', /300 ms/],
  [
    'an engine that cannot be interrupted',
    'export default () => { const f = () => { try { f() } catch { f() } }; f() }',
    'time',
    /300 ms/,
  ],
  ['a promise that never settles', 'export default () => new Promise(() => {})', 'pending', /never settles/],
  [
    'an error',
    'export default () => {\n  throw new TypeError("no") }',
    'thrown',
    /^The script failed \(line 2\): TypeError: no$/,
  ],
  ['a thrown text', 'export default () => { throw "no" }', 'thrown', /^The script failed: no$/],
  [
    'a very long error',
    'export default () => { throw new Error("x".repeat(1e6)) }',
    'thrown',
    /a very long message/,
  ],
  ['a module', 'import fs from "node:fs"; export default () => 1', 'thrown', /could not load module/],
  ['a BigInt', 'export default () => 1n', 'thrown', /BigInt/],
  ['no export', 'const x = 1', 'syntax', /must export a function/],
  ['an export that is no function', 'export default 3', 'syntax', /must export a function/],
  ['a huge result', 'export default () => "x".repeat(300_000)', 'result', /more than 262144 characters/],
  [
    'deep recursion',
    'export default () => { const f = () => f() + 1; return f() }',
    'recursion',
    /recurses too deeply/,
  ],
  [
    'a deeply nested text',
    'export default () => JSON.parse("[".repeat(1e5) + "]".repeat(1e5))',
    'recursion',
    /too deeply/,
  ],
  ['syntax that does not compile', 'export default {{', 'thrown', /SyntaxError/],
])('%s is an error that a model can read', async (_, source, fault, message) => {
  const outcome = await run(source, { timeoutMs: 300 })
  expect(outcome).toMatchObject({ ok: false, fault, message: expect.stringMatching(message) })
  if (!outcome.ok) expect(outcome.message.length).toBeLessThan(500)
  expect(await run('export default () => 1')).toEqual({ ok: true, json: '1' })
})

test.each([
  'export default () => { const all = []; for (;;) all.push(new Array(1000).fill(1)) }',
  'export default () => { const all = []; for (;;) all.push({ x: "y" + all.length }) }',
  'export default () => new Uint8Array(1e9).length',
])('%s runs out of its memory, for any size of allocations', async (source) => {
  expect(await run(source, { timeoutMs: 20_000 })).toMatchObject({
    ok: false,
    fault: 'memory',
    message: 'The script used more than its 16 MB of memory.',
  })
})

test('no state of a script is left for the next', async () => {
  await run('globalThis.left = Array.prototype.left = 1; export default () => 1')
  expect(await run('export default () => [typeof left, typeof [].left]')).toEqual({
    ok: true,
    json: '["undefined","undefined"]',
  })
})

test('a cancelled script ends with its thread, and a waiting one leaves the queue', async () => {
  await using pool = createCodeSandbox({ heavy: createHeavyWork({ places: 3 }) })
  const cancel = new AbortController()
  const running = run(ENDLESS, { timeoutMs: 30_000, signal: cancel.signal, pool })
  const waiting = run(ENDLESS, { timeoutMs: 30_000, signal: cancel.signal, pool })
  const after = run('export default () => 2', { pool })
  cancel.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
  await expect(waiting).rejects.toThrow('cancelled')
  expect(await after).toEqual({ ok: true, json: '2' })
  expect(pool.threads).toBe(1)
})

test("the short script of one tenant does not wait for another tenant's long ones", async () => {
  await using pool = createCodeSandbox({ heavy: createHeavyWork({ places: 4 }) })
  const cancel = new AbortController()
  const flood = Array.from({ length: 10 }, () =>
    run(ENDLESS, { timeoutMs: 30_000, owner: 'flood', signal: cancel.signal, pool }).catch(() => 'cancelled'),
  )
  expect(await run('export default () => 1', { owner: 'other', pool })).toEqual({ ok: true, json: '1' })
  expect(await pool.problemOf('const x = 1', 'other')).toMatch(/must export a function/)
  cancel.abort(new Error('cancelled'))
  expect(await Promise.all(flood)).toEqual(flood.map(() => 'cancelled'))
})

test('a script that cannot be executed or compiled now is busy, and its source is not at fault', async () => {
  using heavy = createHeavyWork({ places: 3 })
  await using pool = createCodeSandbox({ heavy })
  const cancel = new AbortController()
  const flood = Array.from({ length: 51 }, () =>
    run(ENDLESS, { timeoutMs: 30_000, signal: cancel.signal, pool }).catch(() => 'cancelled'),
  )
  await expect(run('export default () => 1', { pool })).rejects.toThrow(BusyError)
  await expect(pool.problemOf('export default () => 1', 'a')).rejects.toThrow(BusyError)
  cancel.abort(new Error('cancelled'))
  await Promise.all(flood)
})

test('idle threads end', async () => {
  await using pool = createCodeSandbox({ heavy: createHeavyWork({ places: 3 }), idleMs: 20 })
  const both = await Promise.all([1, 2].map((n) => run(`export default () => ${n}`, { pool })))
  expect(both).toEqual([
    { ok: true, json: '1' },
    { ok: true, json: '2' },
  ])
  await expect.poll(() => pool.threads).toBe(0)
})

test.each([
  ['export default (input) => input', null],
  ['const main = () => 1; export { main as default }', null],
  ['while (true) {}; export default () => 1', null],
  ['const x = 1', 'must export a function: export default (input) => …'],
  [
    'export default () => {\n  let a\n  let a }',
    expect.stringMatching(/^does not compile \(line 3\): SyntaxError/),
  ],
])('%s is compiled without being executed', async (source, problem) => {
  expect(await sandbox.problemOf(source, 'a')).toEqual(problem)
})
