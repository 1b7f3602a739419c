import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DomainError } from '@troupe/contract'
import { html } from '@troupe/html'
import { createApp } from '@troupe/http/create-app'
import { RateLimitedError } from '@troupe/rate-limits'
import { parseFormBody } from '@troupe/server-html/rendering/form-body'
import { type HtmlPage, PAGE_FONT, PAGE_ICON, PAGE_STYLE } from '@troupe/server-html/rendering/html-page'
import { mark } from '@troupe/server-html/rendering/mark'
import { createLogger } from '@troupe/telemetry/logger'
import { Metrics } from '@troupe/telemetry/metrics'
import { expect, test } from 'vitest'
import { registerPageAssets } from '../register-page-assets.ts'
import { registerPages } from './register-pages.ts'
import { sendPage } from './send-page.ts'

const body = (text: string) => parseFormBody(Buffer.from(text))

test('a submitted form is a text for each name, and a list for a repeated name', () => {
  expect([...body('name=Ana+Maria&color=red&color=blue&empty=&caf%C3%A9=%F0%9F%99%82')]).toEqual([
    ['name', 'Ana Maria'],
    ['color', ['red', 'blue']],
    ['empty', ''],
    ['café', '🙂'],
  ])
})

test('names on the prototype of objects are ordinary names', () => {
  const fields = body('__proto__=a&constructor=b&toString=c&__proto__[x]=d')
  expect([...fields.keys()]).toEqual(['__proto__', 'constructor', 'toString', '__proto__[x]'])
  expect(({} as Record<string, unknown>).x).toBeUndefined()
})

test('a form with too many fields, NUL characters or invalid UTF-8 is refused', () => {
  const refusal = expect.objectContaining({ code: 'validation_error' })
  expect(() => body('a=1&'.repeat(5_001))).toThrow(refusal)
  expect(() => body('a=%00')).toThrow(refusal)
  expect(() => parseFormBody(Buffer.from([0x61, 0xff]))).toThrow(refusal)
  for (const bytes of ['%ff', '%C3', '%C3%41', 'x%ED%A0%80', '%f0%9f%99']) {
    expect(() => body(`a=${bytes}`), bytes).toThrow(refusal)
  }
  expect([...body('a=100%&b=%C3%A9%41%zz')]).toEqual([
    ['a', '100%'],
    ['b', 'éA%zz'],
  ])
})

async function pages(
  page: HtmlPage,
  run: (app: ReturnType<typeof createApp>) => Promise<void>,
): Promise<void> {
  const app = createApp({
    log: createLogger({ level: 'silent' }),
    metrics: new Metrics(),
    admit: (_request, _reply, done) => done(),
  })
  registerPageAssets(app)
  registerPages(app, (scope) => {
    scope.get('/page', async (_request, reply) => sendPage(reply, page))
    scope.post('/page', async (request, reply) => reply.send([...(request.body as Map<string, string>)]))
    scope.get('/gone', async () => {
      throw new DomainError('not_found', 'Nothing <here>.')
    })
    scope.get('/busy', async () => {
      throw new RateLimitedError('Slow down.', 7)
    })
    scope.get('/broken', async () => {
      throw new Error('SELECT secret')
    })
  })
  try {
    await run(app)
  } finally {
    await app.close()
  }
}

const PLAIN: HtmlPage = { title: 'A & B', main: html`<h1>Hello</h1>` }

test('a page has its language, an escaped title and no frame, script or style from elsewhere', () =>
  pages(PLAIN, async (app) => {
    const { body, headers } = await app.inject('/page')
    expect(body).toContain('<html lang="en"')
    expect(body).toContain('<title>A &amp; B</title>')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
  }))

test('a theme is one inline style, named by its hash', () =>
  pages({ ...PLAIN, properties: { '--accent': '#2f6fed', '--radius': '4px' } }, async (app) => {
    const { body, headers } = await app.inject('/page')
    const style = /<style>(.*)<\/style>/.exec(body)?.[1] ?? ''
    expect(style).toBe(':root{--accent:#2f6fed;--radius:4px}')
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`)
  }))

test('a page that may be embedded names the allowed origins', () =>
  pages({ ...PLAIN, policy: { embedOrigins: ['https://a.test', 'https://b.test'] } }, async (app) => {
    const { headers } = await app.inject('/page')
    expect(headers['content-security-policy']).toContain('frame-ancestors https://a.test https://b.test')
    expect(headers['x-frame-options']).toBeUndefined()
  }))

test('an origin that would end its directive is omitted from the policy', () => {
  const hostile = [
    'https://a.test;script-src-elem',
    'https://a.test,x',
    'https://*',
    "'unsafe-inline'",
    'https://ok.test:8443',
  ]
  const policy = {
    embedOrigins: hostile,
    formTargets: hostile,
    imageOrigins: hostile,
    connectOrigins: [...hostile, 'ws://127.0.0.1:7880'],
  }
  return pages({ ...PLAIN, policy }, async (app) => {
    const { headers } = await app.inject('/page')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https://ok.test:8443; " +
        "connect-src 'self' https://ok.test:8443 ws://127.0.0.1:7880; form-action 'self' https://ok.test:8443; base-uri 'none'; " +
        'frame-ancestors https://ok.test:8443',
    )
  })
})

test('the style sheet is cached forever under its own hash, and never under another', () =>
  pages(PLAIN, async (app) => {
    expect((await app.inject('/page')).body).toContain(`href="${PAGE_STYLE.path}"`)
    const current = await app.inject(PAGE_STYLE.path)
    expect(current.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const other = await app.inject('/assets/0000000000000000/page.css')
    expect([other.statusCode, other.headers['cache-control'], other.body]).toEqual([
      200,
      'no-cache',
      current.body,
    ])
  }))

test('every page has the icon of the builder', () =>
  pages(PLAIN, async (app) => {
    expect((await app.inject('/page')).body).toContain(`<link rel="icon" href="${PAGE_ICON.path}"`)
    const { headers, body } = await app.inject(PAGE_ICON.path)
    expect(headers['content-type']).toBe('image/svg+xml')
    expect(body).toBe(await readFile(new URL('../../../../web/src/app/icon.svg', import.meta.url), 'utf8'))
  }))

test('every page has the typeface of the builder, and the logo of the icon', () =>
  pages(PLAIN, async (app) => {
    const style = await app.inject(PAGE_STYLE.path)
    expect(style.body).toContain(`src:url("${PAGE_FONT.path}")`)
    const font = await app.inject(PAGE_FONT.path)
    expect([font.headers['content-type'], font.rawPayload.subarray(0, 4).toString()]).toEqual([
      'font/woff2',
      'wOF2',
    ])
    expect(font.rawPayload.length).toBeLessThan(50_000)
    expect((await app.inject('/page')).headers['content-security-policy']).toContain("font-src 'self'")
    const shapes = (text: string) =>
      [...text.matchAll(/ d="([^"]+)"| c[xy]="([\d.]+)"/g)].map(([part]) => part)
    expect(shapes(mark(40).text)).toEqual(shapes((await app.inject(PAGE_ICON.path)).body))
  }))

test('errors are pages: escaped, with Retry-After, and without the details of a defect', () =>
  pages(PLAIN, async (app) => {
    const gone = await app.inject('/gone')
    expect([gone.statusCode, gone.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(gone.body).toContain('Nothing &lt;here&gt;.')
    const busy = await app.inject('/busy')
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '7'])
    expect(busy.body).toContain('in 7 seconds')
    const broken = await app.inject('/broken')
    expect(broken.statusCode).toBe(500)
    expect(broken.body).not.toContain('SELECT')
  }))

test('routes of pages accept submitted forms of up to 1 MB and nothing else', () =>
  pages(PLAIN, async (app) => {
    const post = (type: string, payload: string) =>
      app.inject({ method: 'POST', url: '/page', headers: { 'content-type': type }, payload })
    const form = 'application/x-www-form-urlencoded'
    expect((await post(form, 'a=1&a=2')).json()).toEqual([['a', ['1', '2']]])
    expect((await post('application/json', '{}')).statusCode).toBe(415)
    expect((await post(form, `a=${'x'.repeat(1024 * 1024)}`)).statusCode).toBe(413)
  }))
