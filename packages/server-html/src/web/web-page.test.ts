import { expect, test } from 'vitest'
import { webFailurePage, webPage } from './web-page.ts'

const BUILD = {
  id: 'b1',
  template:
    '<meta property="csp-nonce" nonce="__TROUPE_NONCE__"><script nonce="__TROUPE_NONCE__"></script>__TROUPE_BUILD__',
  files: new Map(),
}

test('the page has its nonce wherever the build left a place for it, and its policy allows exactly that one', () => {
  const { text, headers } = webPage(BUILD, 'n1')
  expect(text).toBe('<meta property="csp-nonce" nonce="n1"><script nonce="n1"></script>b1')
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toContain("style-src 'self' 'nonce-n1'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
})

test('a failed build is a page with the reason, as text', () => {
  const { status, text } = webFailurePage('Unexpected <token>')
  expect(status).toBe(503)
  expect(text).toContain('Unexpected &lt;token&gt;')
})
