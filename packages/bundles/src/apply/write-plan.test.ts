import type { AuditEntry, Database, Transaction } from '@troupe/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyBundle } from '../apply-bundle.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from '../testing/bundle-parts.ts'

const text = (instructions: string, key: string) => `
apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
    projects: [{ slug: p, name: P }]
    apiKeys: [{ name: ci, secret: very-secret-key-of-the-test }]
    llmConfigurations:
      - slug: main
        name: Main
        providerId: openai
        credentials: { apiKey: ${key} }
        settings: { headers: { x-tenant: header-secret } }
        models: [{ modelId: m }]
    agents:
      - slug: a
        name: A
        config:
          instructions: ${instructions}
          tools: [{ type: http, name: t, method: GET, url: "https://example.com", headers: { authorization: tool-secret } }]
`
let parts: BundleParts
const audit: AuditEntry[] = []

beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

/** The database, with every audit row that a transaction appends. */
function recording(database: Database): Pick<Database, 'read' | 'transaction'> {
  const listen = ({ write, ...rest }: Transaction): Transaction => ({
    ...rest,
    write: {
      ...write,
      audit: {
        ...write.audit,
        append(entry) {
          audit.push(entry)
          return write.audit.append(entry)
        },
      },
    },
  })
  return { read: database.read, transaction: (work) => database.transaction((tx) => work(listen(tx))) }
}

async function apply(instructions: string, key: string) {
  audit.length = 0
  const database = recording(parts.database)
  await applyBundle(
    { ...parts, database },
    { text: text(instructions, key), variables: {}, actor: TEST_ACTOR },
  )
  return audit.map(({ action, before }) => `${action}${before === null ? '' : ' with before'}`)
}

describe('the audit log', () => {
  test('has one row for each change, none for unchanged rows, and no secret', async () => {
    expect(await apply('Hello', 'sk-one')).toEqual([
      'organization.created',
      'project.created',
      'api_key.created',
      'llm_configuration.created',
      'agent.created',
    ])
    for (const secret of ['very-secret-key-of-the-test', 'sk-one', 'header-secret', 'tool-secret']) {
      expect(JSON.stringify(audit)).not.toContain(secret)
    }
    expect(await apply('Hello', 'sk-one')).toEqual([])
    expect(await apply('Bye', 'sk-two')).toEqual([
      'llm_configuration.updated with before',
      'agent.updated with before',
    ])
    expect(audit[1]).toMatchObject({
      actor: TEST_ACTOR,
      entityKind: 'agent',
      before: { config: { instructions: 'Hello' } },
      after: { config: { instructions: 'Bye' } },
    })
  })
})
