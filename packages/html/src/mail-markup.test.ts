import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { mailMarkup } from './mail-markup.ts'

const LINK = 'https://troupe.test/invitations/t'
const content = {
  lead: 'You are invited to work in <b>Acme</b>.',
  title: '<img src=x onerror=alert(1)>',
  action: { label: 'Accept', href: LINK },
  notes: ['It ends in "7" days.'],
}

test('texts of tenants are no markup of the mail', () => {
  const { text } = mailMarkup(content)
  expect(text).toContain('&lt;b&gt;Acme&lt;/b&gt;')
  expect(text).not.toContain('<img')
  expect(text).toContain('It ends in &quot;7&quot; days.')
})

test('the link is a button and, for readers that show none, an address', () => {
  const { text } = mailMarkup(content)
  expect(text.split(`href="${LINK}"`)).toHaveLength(3)
  expect(text).toContain(`>${LINK}</a>`)
})

test('the mail loads nothing, and has the light colours of the pages', async () => {
  const { text } = mailMarkup(content)
  expect(text).not.toMatch(/<(link|script|img|style)|url\(/)
  const tokens = await readFile(new URL('./tokens.css', import.meta.url), 'utf8')
  for (const [colour] of text.matchAll(/#[0-9a-f]{6}/g))
    expect(tokens, colour).toContain(`light-dark(${colour},`)
})
