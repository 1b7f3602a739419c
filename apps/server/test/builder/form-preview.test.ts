import type { FormPreview } from '@troupe/contract/builder'
import { startTestServer, type TestServer } from '@troupe/test-kit/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember } from './builder-caller.ts'

let server: TestServer
let eva: Awaited<ReturnType<typeof asMember>>
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  eva = await asMember(server, 'member', 'Eva')
  workflowId = ((await eva.send('POST /workflows', { name: 'Contact' })).body as { workflowId: string })
    .workflowId
})
afterAll(() => server[Symbol.asyncDispose]())

const question = { name: 'email', label: 'Your <address>', type: 'email', required: true }

async function previewed(config: object): Promise<FormPreview> {
  const { status, body } = await eva.send(`POST /workflows/${workflowId}/form-preview`, { config })
  expect([status, body]).toEqual([200, expect.anything()])
  return body as FormPreview
}

test('the page of a form that is edited has its texts, questions and theme, and neither script nor foreign image', async () => {
  const theme = { mode: 'dark', radius: 3, accent: '#2f6fed', logoUrl: 'https://logo.example/a.png' }
  const { page, logoUrl, faults } = await previewed({
    ...{ title: 'Write to us', description: 'We **answer** soon.', submitLabel: 'Send it' },
    ...{ fields: [question], theme },
  })
  expect(faults).toEqual([])
  expect(logoUrl).toBe('https://logo.example/a.png')
  for (const part of ['<h1>Write to us</h1>', '<strong>answer</strong>', 'Send it', 'Your &lt;address&gt;']) {
    expect(page?.html).toContain(part)
  }
  expect(page?.html).toContain('data-brightness="dark"')
  expect(page?.html).not.toMatch(/<script|<style|logo\.example|Test form/)
  expect(page?.properties).toMatchObject({ '--radius': '3px' })
  expect(Object.keys(page?.properties ?? {})).toContain('--accent-light')
})

test('questions and settings with faults are omitted, and named', async () => {
  const { page, faults } = await previewed({
    title: '',
    theme: { radius: 99 },
    fields: [question, { name: 'a', label: '', type: 'text' }, { name: 'b', label: 'B', type: 'dropdown' }],
  })
  expect(page?.html).toContain('<h1>Untitled form</h1>')
  expect(page?.html).toContain('Your &lt;address&gt;')
  expect(page?.html).not.toContain('<select')
  expect(new Set(faults.map(({ path }) => path))).toEqual(
    new Set(['title', 'theme.radius', 'fields.1.label', 'fields.2.options']),
  )
})

test('a form without a question that can be shown has no page', async () => {
  const { page, faults } = await previewed({ title: 'Empty', fields: [] })
  expect([page, faults.length > 0]).toEqual([null, true])
  expect((await previewed({})).page).toBeNull()
  expect((await previewed({ title: 7, fields: 'none', theme: [] })).page).toBeNull()
})
