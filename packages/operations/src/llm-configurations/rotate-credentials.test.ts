import { CredentialId, newId } from '@troupe/contract'
import { SecretBox } from '@troupe/secrets'
import { seedWebhook } from '@troupe/test-kit/seed-webhook'
import { startTestServer } from '@troupe/test-kit/server'
import { expect, test } from 'vitest'
import { openWebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { rotateCredentials } from './rotate-credentials.ts'

const key = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) })
const OPERATOR = { kind: 'operator', id: null, ip: null, requestId: null } as const

test('rotation reseals every credential with the first key, and a second one finds nothing', async () => {
  await using server = await startTestServer()
  const { database, configChanges } = server.context
  const { organizationId, llm } = server.seed
  const old = new SecretBox([key('old', 1)])
  const place = { purpose: 'llm_configuration.credentials', id: llm.organization } as const
  const read = async () =>
    (await database.read.llmConfigurations.list(organizationId)).find(({ id }) => id === llm.organization)!
  const record = await read()
  await database.transaction(({ write }) =>
    write.llmConfigurations.update({ ...record, sealedCredentials: old.seal('{"apiKey":"sk-1"}', place) }),
  )

  const hook = await seedWebhook({ database, secretBox: old }, { organizationId, projectId: null })

  const credentialId = newId(CredentialId)
  const credential = { purpose: 'credential.secret', id: credentialId } as const
  await database.transaction(({ write }) =>
    write.credentials.insert({
      ...{ id: credentialId, organizationId, projectId: null, slug: 'crm', name: 'CRM', kind: 'bearer' },
      ...{
        username: null,
        field: null,
        hosts: ['crm.example'],
        sealedSecret: old.seal('crm-token', credential),
      },
    }),
  )

  const box = new SecretBox([key('new', 2), key('old', 1)])
  expect(await rotateCredentials({ database, box, configChanges }, OPERATOR)).toBe(4)
  const { sealedCredentials } = await read()
  expect(sealedCredentials).toMatch(/^new\./)
  expect(new SecretBox([key('new', 2)]).open(sealedCredentials!, place)).toBe('{"apiKey":"sk-1"}')
  const secrets = await database.read.webhooks.secrets(organizationId, hook.workflowId)
  expect(openWebhookSecrets(new SecretBox([key('new', 2)]), hook.workflowId, secrets!, 0)).toMatchObject({
    token: hook.token,
    signingSecret: hook.signingSecret,
  })
  const sealed = (await database.read.credentials.byId(organizationId, credentialId))?.sealedSecret
  expect(new SecretBox([key('new', 2)]).open(sealed ?? '', credential)).toBe('crm-token')
  expect(await rotateCredentials({ database, box, configChanges }, OPERATOR)).toBe(0)
})
