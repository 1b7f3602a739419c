import type { PasswordHashes } from '@troupe/secrets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

let parts: BundleParts
beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

/** The same parts, which record the heavy work that starts within transactions and elsewhere. */
function observed(beforeTransaction: () => Promise<unknown> = async () => null) {
  const begun = { within: [] as string[], elsewhere: [] as string[] }
  let open = 0
  const noted =
    <A extends unknown[], R>(name: string, work: (...all: A) => R) =>
    (...all: A) => {
      const list = open > 0 ? begun.within : begun.elsewhere
      list.push(name)
      return work(...all)
    }
  const passwords = (given: PasswordHashes): PasswordHashes => ({
    hash: noted('hash', given.hash),
    matches: noted('matches', given.matches),
  })
  const { database, toolSources } = parts
  const noting: typeof parts = {
    ...parts,
    database: {
      ...database,
      read: database.read,
      async transaction(work) {
        await beforeTransaction()
        return database.transaction(async (tx) => {
          open += 1
          try {
            return await work(tx)
          } finally {
            open -= 1
          }
        })
      },
    },
    passwords: { ...passwords(parts.passwords), of: (owner) => passwords(parts.passwords.of(owner)) },
    toolSources: {
      ...toolSources,
      scriptProblem: noted('script', toolSources.scriptProblem),
      documentFindings: noted('document', toolSources.documentFindings),
    },
  }
  return { noting, begun }
}

const bundle = ({
  slug = 'acme',
  script = 'export default 1',
  password = 'open sesame',
  name = 'Ada',
} = {}) => `
apiVersion: troupe/v1
organizations:
  - slug: ${slug}
    name: Acme
    members: [{ email: ana@${slug}.test, name: Ana, role: owner, password: ${password} of Ana }]
    agents:
      - slug: ada
        name: ${name}
        config:
          tools:
            - { type: code, name: sum, source: "${script}" }
            - { type: openapi, name: api, document: { openapi: 3.0.3 } }
    workflows:
      - slug: contact
        name: Contact
        publish: true
        form: { password: ${password} }
        graph:
          nodes:
            - id: form
              type: form-trigger
              name: Form
              position: { x: 0, y: 0 }
              config:
                title: Contact
                fields: [{ name: name, label: Name, type: text }]
                auth: { mode: basic, username: guest }
          edges: []
`

const apply = (given: ReturnType<typeof observed>['noting'], text: string) =>
  applyBundle(given, { text, variables: {}, actor: TEST_ACTOR })

test('a bundle starts no heavy work within its transaction, and each piece once', async () => {
  const first = observed()
  await apply(first.noting, bundle())
  expect(first.begun.within).toEqual([])
  expect(first.begun.elsewhere.toSorted()).toEqual(['document', 'hash', 'hash', 'script'])
  const second = observed()
  await apply(second.noting, bundle({ script: 'export default 2', password: 'another one' }))
  expect(second.begun.within).toEqual([])
  const renewed = ['document', 'hash', 'hash', 'matches', 'matches', 'script']
  expect(second.begun.elsewhere.toSorted()).toEqual(renewed)
})

test('changes since the plan are planned again, without heavy work within the transaction', async () => {
  const slug = 'changing'
  await apply(parts, bundle({ slug }))
  let isChanged = false
  const { noting, begun } = observed(async () => {
    if (isChanged) return
    isChanged = true
    await apply(parts, bundle({ slug, script: 'export default 3', password: 'a third one' }))
  })
  // When planned, only the name differs; when written, everything does.
  const applied = await apply(noting, bundle({ slug, name: 'Ada Lovelace' }))
  expect(applied.organizations[0]).toMatchObject({ agents: { updated: 1 }, workflows: { updated: 1 } })
  expect(begun.within).toEqual([])
  const organization = await parts.database.read.organizations.bySlug(slug)
  const [workflow] = await parts.database.read.workflows.list(organization!.id)
  const settings = await parts.database.read.forms.settings(organization!.id, workflow!.id)
  const { passwordHash = null } = settings?.credentials ?? {}
  expect(await parts.passwords.matches('open sesame', passwordHash)).toBe(true)
})
