import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const MAIN = join(import.meta.dirname, 'main.ts')
let server: TestServer
let url: string

beforeAll(async () => {
  server = await startTestServer()
  url = await server.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server[Symbol.asyncDispose]())

test('the quickstart runs as its README says', async () => {
  const { keys } = server.seed
  const env = { ...process.env, TROUPE_API_KEY: keys.project, TROUPE_URL: url }
  const { stdout } = await run(process.execPath, [MAIN], { env })
  expect(stdout).toMatch(/^model {2}\S+ \(sandbox\): sandbox-1$/m)
  expect(stdout).toMatch(/^agent {2}Quickstart [0-9a-f-]{36} \(draft\)$/m)
  expect(stdout).toContain('agent  [sandbox] Quickstart: What is a troupe?\n')
  expect(stdout).toContain('agent  [sandbox] Quickstart: And who leads it?\n')
  expect(stdout).toMatch(/\d+ tokens in, \d+ out, \d+ ms\n$/)
})

test('without a key, or with a wrong one, it prints the next step', async () => {
  const start = (env: Record<string, string | undefined>) =>
    run(process.execPath, [MAIN], { env: { ...process.env, TROUPE_URL: url, ...env } })
  await expect(start({ TROUPE_API_KEY: undefined })).rejects.toThrow(/Set TROUPE_API_KEY/)
  await expect(start({ TROUPE_API_KEY: 'trp_wrong-key' })).rejects.toThrow(/unauthorized/)
})
