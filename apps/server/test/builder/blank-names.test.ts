import { randomUUID } from 'node:crypto'
import { CredentialId, checkedId, McpServerId, PhoneTrunkId, propertyOf } from '@troupe/contract'
import type { Transaction } from '@troupe/storage'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOperator, type BuilderClient } from './builder-caller.ts'

let server: TestServer
let operator: BuilderClient
beforeAll(async () => {
  server = await startTestServer()
  operator = asOperator(server)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Kind {
  path: string
  idField: string
  body: object
  /** Stores a blank name, like earlier versions. */
  blanken(tx: Transaction, id: string): Promise<unknown>
}

const slug = () => `s-${randomUUID().slice(0, 8)}`
const organizationId = () => server.seed.organizationId

const KINDS: readonly Kind[] = [
  {
    path: '/credentials',
    idField: 'credentialId',
    body: { slug: slug(), kind: 'bearer', secret: 'a-secret-of-the-crm', hosts: ['crm.example'] },
    blanken: async ({ read, write }, id) => {
      const row = await read.credentials.byId(organizationId(), checkedId(CredentialId, id))
      if (row) await write.credentials.update({ ...row, name: ' ' })
    },
  },
  {
    path: '/llm-configurations',
    idField: 'llmConfigId',
    body: { slug: slug(), providerId: 'sandbox', models: [{ modelId: 'sandbox-1' }] },
    blanken: async ({ read, write }, id) => {
      const row = (await read.llmConfigurations.list(organizationId())).find((one) => one.id === id)
      if (row) await write.llmConfigurations.update({ ...row, name: ' ' })
    },
  },
  {
    path: '/mcp-servers',
    idField: 'mcpServerId',
    body: { slug: slug(), url: 'https://tickets.example/mcp' },
    blanken: async ({ read, write }, id) => {
      const row = await read.mcpServers.byId(organizationId(), checkedId(McpServerId, id))
      if (row) await write.mcpServers.update({ ...row, name: ' ' })
    },
  },
  {
    path: '/api-keys',
    idField: 'apiKeyId',
    body: { rpm: 5 },
    blanken: async ({ read, write }, id) => {
      const row = (await read.apiKeys.list(organizationId())).find((one) => one.id === id)
      if (row) await write.apiKeys.update({ ...row, name: ' ' })
    },
  },
  {
    path: '/phone-trunks',
    idField: 'trunkId',
    body: { slug: slug(), direction: 'outbound', address: 'sip.carrier.test:5060', allowedCountries: ['GB'] },
    blanken: async ({ read, write }, id) => {
      const row = await read.phone.trunk(organizationId(), checkedId(PhoneTrunkId, id))
      if (row) await write.phone.updateTrunk({ ...row, name: ' ' })
    },
  },
]

const REFUSED = { status: 400, body: { errors: [{ path: 'name', message: 'must not be blank' }] } }

test.each(KINDS)('a blank name is accepted only if it is already stored: $path', async (kind) => {
  const { path, idField, body, blanken } = kind
  expect(await operator.send(`POST ${path}`, { ...body, name: ' ' })).toMatchObject(REFUSED)
  const created = (await operator.send(`POST ${path}`, { ...body, name: 'Named' })).body
  const id = String(propertyOf(propertyOf(created, 'apiKey') ?? created, idField))
  expect(await operator.send(`PUT ${path}/${id}`, { ...body, name: ' ' })).toMatchObject(REFUSED)
  await server.context.database.transaction((tx) => blanken(tx, id))
  expect(await operator.send(`PUT ${path}/${id}`, { ...body, name: ' ' })).toMatchObject({
    status: 200,
    body: { name: ' ' },
  })
  expect(await operator.send(`PUT ${path}/${id}`, { ...body, name: '  ' })).toMatchObject(REFUSED)
})
