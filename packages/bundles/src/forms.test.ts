import { openFormToken } from '@troupe/operations/forms/form-token'
import type { FormSettings } from '@troupe/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportBundle } from './export-bundle.ts'
import { type BundleParts, openBundleParts } from './testing/bundle-parts.ts'
import { Organizations } from './testing/organizations.ts'

let parts: BundleParts
let organizations: Organizations
beforeAll(async () => {
  parts = await openBundleParts()
  organizations = new Organizations(parts)
})
afterAll(() => parts[Symbol.asyncDispose]())

const BASIC = { mode: 'basic', username: 'guest' }

function graphOf(auth: object | null, title = 'Contact') {
  const fields = [{ name: 'name', label: 'Name', type: 'text' }]
  const form = { title, fields, ...(auth && { auth }) }
  return {
    nodes: [{ id: 'form', type: 'form-trigger', name: 'Form', position: { x: 0, y: 0 }, config: form }],
    edges: [],
  }
}
const WITHOUT_FORM = {
  nodes: [{ id: 'start', type: 'manual-trigger', name: 'Start', position: { x: 0, y: 0 }, config: {} }],
  edges: [],
}

/** The part of a bundle with one workflow. */
function contact({
  form = '',
  publish = true,
  graph = graphOf(null) as unknown,
  slug = 'contact',
} = {}): string {
  const given = form === '' ? '' : `form: ${form}, `
  return `    workflows: [{ slug: ${slug}, name: Contact, publish: ${publish}, ${given}graph: ${JSON.stringify(graph)} }]`
}

async function settingsOf(organization: string): Promise<FormSettings & { token: string }> {
  const { read } = parts.database
  const organizationId = await organizations.id(organization)
  const [workflow] = await read.workflows.list(organizationId)
  const stored = workflow && (await read.forms.settings(organizationId, workflow.id))
  if (!stored) throw new Error('the form is missing')
  return { ...stored, token: openFormToken(parts.box, workflow.id, stored.tokenSealed) }
}

test('the first publish mints a token, which no later one changes, not even one without a form', async () => {
  const slug = await organizations.furnished()
  await organizations.apply(slug, contact())
  const { token } = await settingsOf(slug)
  expect(token).toMatch(/^[0-9A-Za-z]{43}$/)
  await organizations.apply(slug, contact({ graph: WITHOUT_FORM }))
  expect((await settingsOf(slug)).token).toBe(token)
  await organizations.apply(slug, contact({ graph: graphOf(null, 'Another title') }))
  expect((await settingsOf(slug)).token).toBe(token)
})

test('a workflow without a form has no token', async () => {
  const slug = await organizations.furnished()
  await organizations.apply(slug, contact({ graph: WITHOUT_FORM }))
  await expect(settingsOf(slug)).rejects.toThrow('the form is missing')
})

test('a given token and password are stored once; applying again, with or without them, changes nothing', {
  timeout: 60_000,
}, async () => {
  const slug = await organizations.furnished()
  const given = contact({ form: `{ token: token-of-${slug}, password: open sesame }`, graph: graphOf(BASIC) })
  await organizations.apply(slug, given)
  const first = await settingsOf(slug)
  expect(first.token).toBe(`token-of-${slug}`)
  expect(first.credentials).toEqual({ username: 'guest', passwordHash: expect.stringMatching(/^\$2b\$04\$/) })
  expect(await parts.passwords.matches('open sesame', first.credentials?.passwordHash ?? null)).toBe(true)
  expect((await organizations.apply(slug, given)).workflows).toMatchObject({ unchanged: 1 })
  expect((await organizations.apply(slug, contact({ graph: graphOf(BASIC) }))).workflows).toMatchObject({
    unchanged: 1,
  })
  const retitled = contact({ graph: graphOf(BASIC, 'Another title') })
  expect((await organizations.apply(slug, retitled)).workflows).toMatchObject({ updated: 1 })
  expect(await settingsOf(slug)).toEqual(first)
})

test('another password ends the visits; another mode deletes it, and changing back requires one', {
  timeout: 60_000,
}, async () => {
  const slug = await organizations.furnished()
  const protectedForm = (password: string) =>
    contact({ form: `{ password: ${password} }`, graph: graphOf(BASIC) })
  await organizations.apply(slug, protectedForm('first one'))
  const first = await settingsOf(slug)
  expect((await organizations.apply(slug, protectedForm('second one'))).workflows).toMatchObject({
    updated: 1,
  })
  const second = await settingsOf(slug)
  expect(second.credentialVersion).toBe(first.credentialVersion + 1)
  expect(await parts.passwords.matches('first one', second.credentials?.passwordHash ?? null)).toBe(false)
  await organizations.apply(slug, contact())
  expect(await settingsOf(slug)).toMatchObject({
    credentials: null,
    credentialVersion: second.credentialVersion + 1,
  })
  expect(await organizations.problems(slug, contact({ graph: graphOf(BASIC) }))).toEqual([
    '5 workflows.0.form.password: is required: the form requires a password and has none yet',
  ])
})

describe('refused', () => {
  test.for<[string, Parameters<typeof contact>[0], string]>([
    [
      'a password without publishing',
      { form: '{ password: a }', publish: false },
      'form: must be given together with publish: true',
    ],
    [
      'a password where none is asked for',
      { form: '{ password: a }' },
      "form.password: must be omitted: the form's access is none",
    ],
    [
      'a password without a form',
      { form: '{ password: a }', graph: WITHOUT_FORM },
      'form.password: must be omitted: the graph has no Form Trigger',
    ],
    [
      'a token without a form',
      { form: '{ token: abcdefgh }', graph: WITHOUT_FORM },
      'form.token: must be omitted: the graph has no Form Trigger',
    ],
    [
      'a token and a password without a form, once',
      { form: '{ token: abcdefgh, password: a }', graph: WITHOUT_FORM },
      'form.token: must be omitted: the graph has no Form Trigger',
    ],
    [
      'a form that cannot be read, but not its token',
      { form: '{ token: abcdefgh }', graph: graphOf({ mode: 'basic', username: 7 }) },
      'graph.nodes.0.config.auth.username: must be a string or null',
    ],
    [
      'a first form with a user name and no password',
      { graph: graphOf(BASIC) },
      'form.password: is required: the form requires a password and has none yet',
    ],
    [
      'a password of more than 72 bytes',
      { form: `{ password: ${'x'.repeat(73)} }`, graph: graphOf(BASIC) },
      'form.password: must have at most 72 bytes in UTF-8',
    ],
    [
      'an empty password',
      { form: '{ password: "" }', graph: graphOf(BASIC) },
      'form.password: must not be empty',
    ],
  ])('%s', async ([, workflow, problem]) => {
    const slug = await organizations.furnished()
    expect(await organizations.problems(slug, contact(workflow))).toEqual([`5 workflows.0.${problem}`])
  })

  test('a new user name without a new password', { timeout: 60_000 }, async () => {
    const slug = await organizations.furnished()
    await organizations.apply(slug, contact({ form: '{ password: open sesame }', graph: graphOf(BASIC) }))
    const renamed = contact({ graph: graphOf({ ...BASIC, username: 'visitor' }) })
    expect(await organizations.problems(slug, renamed)).toEqual([
      '5 workflows.0.form.password: is required: the user name has changed',
    ])
  })

  test('the token of another workflow', async () => {
    const [one, other] = [await organizations.furnished(), await organizations.furnished()]
    const taken = contact({ form: `{ token: token-of-${one} }` })
    await organizations.apply(one, taken)
    expect(await organizations.problems(other, taken)).toEqual([
      '5 workflows.0.form.token: is the token of another workflow',
    ])
  })
})

test('an export has neither the token nor the password', { timeout: 60_000 }, async () => {
  const slug = await organizations.furnished()
  const given = contact({
    form: `{ token: secret-of-${slug}, password: hunter2hunter2 }`,
    graph: graphOf(BASIC),
  })
  await organizations.apply(slug, given)
  const text = await exportBundle(parts, slug)
  expect(text).toContain('form-trigger')
  expect(text).not.toMatch(/secret-of|hunter2|\$2b\$|password:/)
})
