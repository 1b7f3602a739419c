import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyBundle } from './apply-bundle.ts'
import { BundleError } from './read/problem.ts'
import { type BundleParts, openBundleParts, TEST_ACTOR } from './testing/bundle-parts.ts'

let parts: BundleParts
beforeAll(async () => {
  parts = await openBundleParts()
})
afterAll(() => parts[Symbol.asyncDispose]())

const HINT = '`openssl rand -hex 32` makes one'

const bundle = (slug: string, keys: string) => `apiVersion: troupe/v1
organizations:
  - slug: ${slug}
    name: Acme
    apiKeys:
${keys}`

async function problemsOf(text: string, acceptsWeakSecrets: boolean): Promise<string[]> {
  try {
    await applyBundle({ ...parts, acceptsWeakSecrets }, { text, variables: {}, actor: TEST_ACTOR })
    return []
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    return error.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)
  }
}

test('a secret that is easier to guess than a random one is refused, and the reason is named', async () => {
  const text = bundle(
    'acme',
    `      - { name: short, secret: 8-letter }
      - { name: plain, secret: aaaaaaaaaaaaaaaaaaaaaaaa }
      - { name: counted, secret: 0123456789abcdefghijklmnop }
      - { name: random, secret: f3b09ad87c1e4625b9d08f1a2c3e4d57 }
`,
  )
  expect(await problemsOf(text, false)).toEqual([
    `6 organizations.0.apiKeys.0.secret: must have at least 24 characters; ${HINT}`,
    `7 organizations.0.apiKeys.1.secret: must have at least 8 different characters, as a random secret has; ${HINT}`,
    `8 organizations.0.apiKeys.2.secret: must not be a repetition or a sequence of characters; ${HINT}`,
  ])
})

test('a server that only its own machine reaches accepts weak secrets, and they stay usable later', async () => {
  const text = bundle('globex', '      - { name: short, secret: eight-ch }\n')
  expect(await problemsOf(text, true)).toEqual([])
  expect(await problemsOf(text, false)).toEqual([])
  expect(await problemsOf(text.replace('eight-ch', 'ch-eight'), false)).toHaveLength(1)
})
