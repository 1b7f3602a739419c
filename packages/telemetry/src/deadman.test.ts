import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const MODULE = new URL('./deadman.ts', import.meta.url).href

/** As in a container: the program is process 1 of a PID namespace. */
const ALONE = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']
const canIsolate = spawnSync(ALONE[0] ?? '', [...ALONE.slice(1), 'true']).status === 0
if (!canIsolate)
  process.stderr.write('!!! Not proven here: the watchdog of process 1. It takes `unshare --pid`.\n')

async function run(script: string, before: readonly string[] = []) {
  const [program = '', ...args] = [...before, process.execPath]
  const child = spawn(program, [
    ...args,
    '--input-type=module',
    '-e',
    `import { endWhenStuck } from '${MODULE}'\n${script}`,
  ])
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text))
  const [code, signal] = await once(child, 'close')
  return { code, signal, said }
}

test('a process whose event loop spins is ended with an error message', { timeout: 60_000 }, async () => {
  const ended = await run(
    'setInterval(() => {}, 1000)\nawait endWhenStuck(2).started\nawait new Promise((r) => setTimeout(r, 500))\nfor (;;);',
  )
  expect(ended.signal).toBe('SIGKILL')
  expect(ended.said).toContain('The event loop was blocked for 2 seconds: the process ends.')
})

// The kernel ignores SIGKILL of process 1 to itself, and the image's program is process 1.
test.runIf(canIsolate)('process 1 of a container is ended too', { timeout: 60_000 }, async () => {
  const spinning =
    'setInterval(() => {}, 1000)\nawait endWhenStuck(2).started\nawait new Promise((r) => setTimeout(r, 500))\nconst end = Date.now() + 20000\nwhile (Date.now() < end);\nprocess.exit(0)'
  const ended = await run(spinning, ALONE)
  expect(ended.said).toContain('the process ends')
  expect(ended.code).not.toBe(0)
})

test('a process whose event loop turns is left alone and may end', { timeout: 60_000 }, async () => {
  expect(await run('endWhenStuck(2)\nawait new Promise((r) => setTimeout(r, 4000))')).toEqual({
    code: 0,
    signal: null,
    said: '',
  })
})
