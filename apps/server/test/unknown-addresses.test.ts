import { startTestServer } from '@troupe/test-kit/server'
import { expect, test } from 'vitest'

/** The `Accept` header of Chromium for a typed address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'

test('a browser at an unknown address gets a page with a way home, and programs get JSON', async () => {
  await using server = await startTestServer()
  const get = (url: string, accept: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    server.app.inject({ method, url, headers: { accept } })

  for (const url of ['/nowhere', '/account/', '/assets/0/none.css', '/%2e%2e/x']) {
    const page = await get(url, BROWSER)
    expect([url, page.statusCode, page.headers['content-type']]).toEqual([
      url,
      404,
      'text/html; charset=utf-8',
    ])
    expect(page.body).toContain('href="/">Go to the start page')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  }
  for (const accept of ['*/*', 'application/json', 'application/xml']) {
    expect((await get('/nowhere', accept)).json()).toMatchObject({ error: 'not_found' })
  }
  expect((await get('/api/v1/nowhere', BROWSER)).json()).toHaveProperty('error')
  expect((await get('/nowhere', BROWSER, 'POST')).json()).toMatchObject({ error: 'not_found' })
  expect((await get('/nowhere', BROWSER, 'HEAD')).headers['content-type']).toBe('text/html; charset=utf-8')
})
