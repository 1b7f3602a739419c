import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyBundle } from '@troupe/bundles'
import { openBundleParts, TEST_ACTOR } from '@troupe/bundles/testing/bundle-parts'
import { requireOpenableCredentials } from '@troupe/operations/llm-configurations/require-openable-credentials'
import { SecretBox } from '@troupe/secrets'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { readEnv } from '../src/config/env.ts'
import type { Secrets } from '../src/config/secrets.ts'
import { startServer } from '../src/server-process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-keys-'))
})
afterAll(() => rm(folder, { recursive: true }))

const BUNDLE = `apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    llmConfigurations:
      - { slug: a, name: A, providerId: openai, credentials: { apiKey: sk-a }, models: [{ modelId: gpt }] }
      - { slug: b, name: B, providerId: openai, credentials: { apiKey: sk-b }, models: [{ modelId: gpt }] }
      - { slug: c, name: C, providerId: sandbox, models: [{ modelId: sandbox-1 }] }
`
const source = { text: BUNDLE, variables: null, actor: TEST_ACTOR }
const otherKey = { id: 'test', key: Buffer.alloc(32, 9) }

test('a lost key is reported with the number of credentials; applying them again repairs it', async () => {
  await using parts = await openBundleParts()
  const config = { dataDirectory: '/data' }
  await applyBundle(parts, source)
  await requireOpenableCredentials({ database: parts.database, secretBox: parts.box, config })

  const box = new SecretBox([otherKey])
  const lost = { database: parts.database, secretBox: box, config }
  await expect(requireOpenableCredentials(lost)).rejects.toThrow(
    '2 stored credentials were sealed with a key that is missing. Put secret.key back into /data or set ' +
      'TROUPE_SECRET_KEY; or apply a bundle that contains the credentials (troupe apply works while the server is ' +
      'stopped).',
  )
  const applied = await applyBundle({ ...parts, box }, source)
  expect(applied.organizations[0]?.llmConfigurations).toEqual({ created: 0, updated: 2, unchanged: 1 })
  await requireOpenableCredentials(lost)
})

test('the server refuses to start without the key', async () => {
  await using database = await openReusedDatabase()
  await applyBundle(await openBundleParts(database), source)
  const config = readConfig(readEnv({ PORT: '0', LOG_LEVEL: 'silent', TROUPE_DATA_DIR: folder }))
  const secrets: Secrets = {
    encryptionKeys: [otherKey],
    adminToken: 'admin-token-of-the-test',
    metricsToken: null,
    setupToken: null,
    databaseUrl: null,
    redisUrl: null,
    smtpUrl: null,
    s3: null,
    voice: null,
  }
  await expect(startServer(config, secrets, [], { database })).rejects.toThrow(
    `Put secret.key back into ${folder} or`,
  )
})
