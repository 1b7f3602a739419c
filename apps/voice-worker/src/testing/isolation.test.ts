import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A separate network namespace in which only loopback is up: any other address is unreachable immediately. */
const ISOLATED = ['--net', '--map-root-user', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
const PROGRAM = join(import.meta.dirname, 'measure-conversation.ts')
const PATIENCE_MS = 55_000

const canIsolate = spawnSync('unshare', [...ISOLATED, 'true']).status === 0
// If media tests are required, a test that can't run is a failure.
const isSkipped = !canIsolate && process.env.VOICE_MEDIA_TESTS !== 'required'
if (isSkipped) {
  process.stderr.write('!!! Not proven here: that speech needs no network. It takes unshare(1) and ip(8).\n')
}

function isolated(program: string, args: readonly string[]) {
  return spawnSync('unshare', [...ISOLATED, program, ...args], { encoding: 'utf8', timeout: PATIENCE_MS })
}

test.skipIf(isSkipped)('a separate network namespace reaches nothing', () => {
  const code = "fetch('http://192.0.2.1/').catch((error) => console.log(error.cause.code))"
  expect(isolated(process.execPath, ['-e', code]).stdout.trim()).toBe('ENETUNREACH')
})

test.skipIf(isSkipped)('a conversation with local speech needs nothing outside the machine', () => {
  const request = JSON.stringify({ turns: 2, bargeIns: 0, speed: 1 })
  const { stdout, stderr } = isolated(process.execPath, [PROGRAM, request])
  const result = /result (.*)\n/.exec(stdout)?.[1]
  expect(result, stderr).toBeDefined()
  expect(JSON.parse(result ?? '{}')).toMatchObject({
    misheard: 0,
    latencies: [expect.any(Number), expect.any(Number)],
  })
})
