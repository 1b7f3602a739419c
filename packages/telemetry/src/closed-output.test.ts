import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'

const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href)
const PROGRAM = `
import { endWithoutTeardown } from ${urlOf('./end-process.ts')}
import { reportLostOutput } from ${urlOf('./closed-output.ts')}
endWithoutTeardown()
reportLostOutput()
process.stdout.write('x\\n'.repeat(500_000))
process.stdout.write('y\\n')
`

/** `reads`: the bytes that the reader takes before it exits. */
async function run(
  script: string,
  { reads = Number.POSITIVE_INFINITY, stdout = 'pipe' as 'pipe' | number } = {},
) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', stdout, 'pipe'],
  })
  let bytes = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes >= reads) child.stdout?.destroy()
  })
  let err = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code] = await once(child, 'close')
  return { code, err, bytes }
}

test('a reader that reads to the end gets everything, and the exit code of the program', async () => {
  expect(await run(PROGRAM)).toEqual({ code: 0, err: '', bytes: 1_000_002 })
  expect(await run(`${PROGRAM}process.exitCode = 3`)).toEqual({ code: 3, err: '', bytes: 1_000_002 })
})

test('a reader that has gone gets no stack trace: the program continues, and its code is 141, or its own', async () => {
  const goesOn = "process.stderr.write('done')"
  expect(await run(PROGRAM + goesOn, { reads: 1 })).toMatchObject({ code: 141, err: 'done' })
  const failing = `${PROGRAM}process.exitCode = await Promise.resolve(3)`
  expect(await run(failing, { reads: 1 })).toMatchObject({ code: 3, err: '' })
})

test.runIf(existsSync('/dev/full'))('output on a full disk is code 1 with an error message', async () => {
  expect(await run(PROGRAM, { stdout: openSync('/dev/full', 'w') })).toMatchObject({
    code: 1,
    err: 'The output cannot be written (ENOSPC).\n',
  })
})
