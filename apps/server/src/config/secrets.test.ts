import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readEnv } from './env.ts'
import { readSecrets } from './secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

function secrets(env: Record<string, string> = {}) {
  const given = readEnv({ TROUPE_DATA_DIR: join(folder, 'data'), ...env })
  return readSecrets(given, readConfig(given))
}
const mode = async (name: string) => (await stat(join(folder, 'data', name))).mode & 0o777

test('the first start creates a folder, a key and a token that only the owner can read', async () => {
  const first = await secrets()
  expect(await mode('.')).toBe(0o700)
  expect(await mode('secret.key')).toBe(0o600)
  expect(await mode('admin.token')).toBe(0o600)
  expect(await readFile(join(folder, 'data', 'admin.token'), 'utf8')).toBe(`${first.adminToken}\n`)
})

test('later starts read the same key and token', async () => {
  const first = await secrets()
  expect(await secrets()).toEqual(first)
})

test('processes that start concurrently read the same key', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => secrets()))
  expect(new Set(all.map(({ adminToken }) => adminToken)).size).toBe(1)
  expect(new Set(all.map(({ encryptionKeys }) => encryptionKeys[0].key.toString('hex'))).size).toBe(1)
})

test('processes that share a database need a given key, or an existing one', async () => {
  const cluster = {
    DATABASE_URL: 'postgres://db/troupe',
    REDIS_URL: 'redis://cache',
    RESTATE_INGRESS_URL: 'http://127.0.0.1:8080',
    RESTATE_ADMIN_URL: 'http://127.0.0.1:9070',
  }
  await expect(secrets(cluster)).rejects.toThrow(/TROUPE_SECRET_KEY is not set, but several .*openssl rand/)
  const alone = await secrets()
  expect((await secrets(cluster)).encryptionKeys).toEqual(alone.encryptionKeys)
})

test('given secrets need no files', async () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const given = await secrets({
    TROUPE_SECRET_KEY: `mine:${key}`,
    TROUPE_ADMIN_TOKEN: 'f3b09ad87c1e4625b9d08f1a2c3e4d57',
  })
  expect(given).toMatchObject({
    encryptionKeys: [{ id: 'mine' }],
    adminToken: 'f3b09ad87c1e4625b9d08f1a2c3e4d57',
  })
  await expect(stat(join(folder, 'data'))).rejects.toThrow()
})

test.each([
  ['an empty', ''],
  ['a short', 'abc'],
  ['a token file with two lines', 'one-token\ntwo-tokens'],
])('%s admin token stops the boot with an error message', async (_name, text) => {
  await secrets()
  await writeFile(join(folder, 'data', 'admin.token'), text)
  await expect(secrets()).rejects.toThrow(/The file admin\.token in .* has no usable token\. Delete it/)
})

test('a damaged key file stops the boot with an error message that holds no key material', async () => {
  await secrets()
  await writeFile(join(folder, 'data', 'secret.key'), 'k1:damaged-material')
  await expect(secrets()).rejects.toThrow(
    /The key file secret\.key in .* cannot be used\. Key 1 must be 32 bytes/,
  )
  await expect(secrets()).rejects.not.toThrow(/damaged-material/)
})
