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

test('texts of tenants are escaped in the mail', () => {
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

test('the mail loads nothing, and has the colours of the pages in light and dark', async () => {
  const { text } = mailMarkup(content)
  expect(text).not.toMatch(/<(link|script|img)|url\(|@import/)
  const tokens = await readFile(new URL('./tokens.css', import.meta.url), 'utf8')
  const [, dark = ''] = /<style>\s*@media \(prefers-color-scheme: dark\)([^<]*)<\/style>/.exec(text) ?? []
  const coloursOf = (css: string) => [...css.matchAll(/#[0-9a-f]{6}/g)].map(([colour]) => colour)
  expect(coloursOf(dark).length).toBeGreaterThan(0)
  for (const colour of coloursOf(dark)) expect(tokens, colour).toContain(`, ${colour})`)
  for (const colour of coloursOf(text.replace(dark, '')))
    expect(tokens, colour).toContain(`light-dark(${colour},`)
})

test('everything with a light colour has a dark one', () => {
  const { text } = mailMarkup(content)
  const [, dark = ''] = /<style>([^<]*)<\/style>/.exec(text) ?? []
  const coloured = [...text.matchAll(/<[a-z]+([^>]*style="[^"]*#[0-9a-f]{6}[^>]*)>/g)].map(
    ([, rest]) => rest ?? '',
  )
  expect(coloured.length).toBeGreaterThan(5)
  for (const attributes of coloured) {
    const [, name = 'no class'] = /class="([a-z]+)"/.exec(attributes) ?? []
    expect(dark, attributes).toContain(`.${name}`)
  }
})
