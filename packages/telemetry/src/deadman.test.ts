import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const MODULE = new URL('./deadman.ts', import.meta.url).href

async function run(script: string) {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { endWhenStuck } from '${MODULE}'\n${script}`,
  ])
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text))
  const [code, signal] = await once(child, 'close')
  return { code, signal, said }
}

test('a process whose event loop spins is ended with a sentence', { timeout: 60_000 }, async () => {
  const ended = await run(
    'setInterval(() => {}, 1000)\nawait endWhenStuck(2).started\nawait new Promise((r) => setTimeout(r, 500))\nfor (;;);',
  )
  expect(ended.signal).toBe('SIGKILL')
  expect(ended.said).toContain('The event loop was blocked for 2 seconds: the process ends.')
})

test('a process whose event loop turns is left alone and may end', { timeout: 60_000 }, async () => {
  expect(await run('endWhenStuck(2)\nawait new Promise((r) => setTimeout(r, 4000))')).toEqual({
    code: 0,
    signal: null,
    said: '',
  })
})
