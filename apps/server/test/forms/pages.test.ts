import { TestClock } from '@troupe/agents/testing/test-clock'
import { seedForm } from '@troupe/test-kit/seed-form'
import { ownOrigin, seedPerson, signIn } from '@troupe/test-kit/seed-person'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FormServer, resultOf, runsDuring, startFormServer, visitor } from './form-setting.ts'

let server: FormServer
let call: ReturnType<typeof visitor>
const clock = new TestClock()
beforeAll(async () => {
  server = await startFormServer({ overrides: { clock } })
  call = visitor(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const seed = async (form: Omit<Parameters<typeof seedForm>[1], 'organizationId'> = {}) => {
  const seeded = await seedForm(server.context, { organizationId: server.seed.organizationId, ...form })
  return { ...seeded, page: `/forms/${seeded.token}` }
}
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const post = (page: string, pairs: [string, string][], headers: Record<string, string> = {}) =>
  call(`POST ${page}`, { headers: { ...FORM, ...headers }, body: new URLSearchParams(pairs).toString() })
const FIELDS = [
  { name: 'name', label: 'Your name', type: 'text', required: true, prefill: true },
  { name: 'colors', label: 'Colors', type: 'checkboxes', options: ['red', 'blue'], prefill: true },
  { name: 'secret', label: 'Secret', type: 'password' },
  { name: 'source', label: 'Source', type: 'hidden', defaultValue: 'from-the-graph' },
]

describe('the page of a form', () => {
  test('shows its fields, and prefills allowed ones from the URL', async () => {
    const { page } = await seed({ fields: FIELDS })
    const { status, body } = await call(
      `GET ${page}?name=Ana%20%3Cb%3E&colors=red&colors=blue&secret=no&source=no`,
    )
    expect(status).toBe(200)
    expect(body).toContain('value="Ana &lt;b&gt;"')
    expect((body as string).match(/ checked/g)).toHaveLength(2)
    expect(body).not.toContain('"no"')
    expect(body).not.toContain('from-the-graph')
  })

  test('accepts a submission without JavaScript and thanks; a reload resubmits nothing', async () => {
    const { page } = await seed({ fields: FIELDS, config: { successMessage: 'Thank **you**' } })
    const [executionId = ''] = await runsDuring(server, async () => {
      const answer = await post(page, [
        ['name', 'Ana'],
        ['colors', 'blue'],
      ])
      expect([answer.status, answer.headers.location]).toEqual([303, `${page}?form.done=1`])
    })
    const { output } = await resultOf(server, executionId)
    expect(output).toEqual({
      answers: { name: 'Ana', colors: ['blue'], secret: null, source: 'from-the-graph' },
    })
    expect((await call(`GET ${page}?form.done=1`)).body).toContain('Thank <strong>you</strong>')
  })

  test('redirects to the form’s target, and its policy allows only that', async () => {
    const redirectUrl = 'https://acme.test/thanks?a=1'
    const { page } = await seed({ config: { redirectUrl } })
    expect((await post(page, [['name', 'Ana']])).headers.location).toBe(redirectUrl)
    const policy = (await call(`GET ${page}`)).headers['content-security-policy']
    expect(policy).toContain("form-action 'self' https://acme.test;")
  })

  test('before the visitor is admitted, the policy does not reveal the form’s target', async () => {
    const redirectUrl = 'https://acme.test/thanks'
    const locked = await seed({
      config: { redirectUrl, auth: { mode: 'basic', username: 'guest' } },
      password: 'open sesame',
    })
    const members = await seed({ config: { redirectUrl, auth: { mode: 'service-login' } } })
    for (const { page } of [locked, members]) {
      const { status, headers } = await call(`GET ${page}`)
      expect(status).toBe(401)
      expect(headers['content-security-policy']).toContain("form-action 'self';")
    }
  })

  test('400 shows every error with a link, keeps the answers and asks for passwords again', async () => {
    const { page } = await seed({ fields: [...FIELDS, { name: 'age', label: 'Age', type: 'number' }] })
    const { status, body } = await post(page, [
      ['name', ' '],
      ['age', 'ten <b>'],
      ['secret', 'hunter2'],
      ['colors', 'red'],
    ])
    expect(status).toBe(400)
    expect(body).toContain('<title>Error: Contact us</title>')
    expect(body).toContain('<a href="#field-1">Your name: This is required.</a>')
    expect(body).toContain('<a href="#field-5">Age: This must be a number such as 1234.5.</a>')
    expect(body).toContain('value="ten &lt;b&gt;"')
    expect(body).toContain('value="red" checked')
    expect(body).not.toContain('hunter2')
    expect(body).toMatch(
      /id="field-5"[^>]*aria-describedby="field-5-notation field-5-fault" aria-invalid="true"/,
    )
  })

  test('a field named like an inherited property is an ordinary field', async () => {
    const { page } = await seed({ fields: [{ name: 'constructor', label: 'Odd', type: 'text' }] })
    const [executionId = ''] = await runsDuring(server, async () => {
      expect((await post(page, [['constructor', 'x']])).status).toBe(303)
    })
    expect((await resultOf(server, executionId)).output).toEqual({ answers: { constructor: 'x' } })
  })

  test('Markdown has no HTML, no images and no scripts in links', async () => {
    const description =
      '# Hi\n\n<script>alert(1)</script> ![x](https://evil.test/x.png) [y](javascript:alert(1))'
    const { page } = await seed({ config: { description } })
    const { body, headers } = await call(`GET ${page}`)
    expect(body).toContain('<h2>Hi</h2>')
    expect(body).toContain('&lt;script&gt;')
    expect(body).not.toMatch(/<script>|<img|href="javascript|evil/)
    expect(body).toContain('&lt;/script&gt; x [y]')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('may be embedded only on the form’s origins', async () => {
    const embedded = await seed({ config: { embedOrigins: ['https://acme.test'] } })
    const { headers } = await call(`GET ${embedded.page}`)
    expect(headers['content-security-policy']).toContain('frame-ancestors https://acme.test')
    expect(headers['x-frame-options']).toBeUndefined()
    const plain = await call(`GET ${(await seed()).page}`)
    expect(plain.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(plain.headers['x-frame-options']).toBe('DENY')
  })

  test('404, 413 and 415 are pages', async () => {
    const { page } = await seed()
    const unknown = await call('GET /forms/unknown')
    expect([unknown.status, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(unknown.body).toContain('There is no published form at this address.')
    expect(unknown.body).toContain('Ask for the new one where you found the link.')
    expect(unknown.body).not.toContain('href="/"')
    const broken = await call('GET /forms/%E0%A4%A')
    expect([broken.status, broken.body]).toEqual([404, unknown.body])
    expect((await post(page, [['name', 'x'.repeat(1024 * 1024)]])).status).toBe(413)
    const json = await call(`POST ${page}`, { body: { name: 'Ana' } })
    expect(json.status).toBe(415)
    expect(json.body).toContain('The Content-Type must be application/x-www-form-urlencoded.')
  })

  test('a script receives the target instead of a redirect', async () => {
    const { page } = await seed()
    const answer = await post(page, [['name', 'Ana']], { 'x-form-script': '1' })
    expect([answer.status, answer.body]).toEqual([200, { location: `${page}?form.done=1` }])
  })
})

describe('a form with a bot guard', () => {
  const stamped = async (page: string) => {
    const { body } = await call(`GET ${page}`)
    return /name="form.started" value="([^"]+)"/.exec(body as string)?.[1] ?? ''
  }

  test('asks a visitor who filled in the honeypot, like autofill, to confirm, and keeps the answers', async () => {
    const { page } = await seed({ config: { botGuard: true } })
    const stamp = await stamped(page)
    const filled: [string, string][] = [
      ['name', 'Ana'],
      ['form.website', 'https://ana.test'],
      ['form.started', stamp],
    ]
    const runs = await runsDuring(server, async () => {
      const asked = await post(page, filled)
      expect(asked.status).toBe(400)
      expect(asked.body).toContain('Tick “I am a person”')
      expect(asked.body).toMatch(/<input type="checkbox" name="form.person" value="yes">/)
      expect(asked.body).toContain('value="Ana"')
      expect(asked.body).not.toContain('form.website')
      const hasty = await post(page, [...filled, ['form.person', 'yes']])
      expect(hasty.body).toContain('That was very fast.')
      expect(hasty.body).toContain('name="form.person" value="yes" checked')
    })
    expect(runs).toEqual([])
    const sent = await runsDuring(server, async () => {
      clock.advance(2_000)
      const answered = await post(page, [...filled, ['form.person', 'yes']])
      expect([answered.status, answered.headers.location]).toEqual([303, `${page}?form.done=1`])
    })
    expect(sent).toHaveLength(1)
  })

  test('asks fast visitors to wait', async () => {
    const { page } = await seed({ config: { botGuard: true } })
    const stamp = await stamped(page)
    const runs = await runsDuring(server, async () => {
      for (const started of [stamp, '', `${Date.now() - 60_000}.${stamp.split('.')[1]}`]) {
        const hasty = await post(page, [
          ['name', 'Ana'],
          ['form.started', started],
        ])
        expect(hasty.status).toBe(400)
        expect(hasty.body).toContain('That was very fast.')
        expect(hasty.body).toContain('value="Ana"')
      }
    })
    expect(runs).toEqual([])
  })
})

describe('a form with a password', () => {
  test('shows nothing but the sign-in, admits for 12 hours, and ends all visits with a new password', async () => {
    const { page, path, workflowId } = await seed({
      config: { auth: { mode: 'basic', username: 'guest' }, title: 'Secret title' },
      password: 'open sesame',
    })
    const outside = await call(`GET ${page}`)
    expect(outside.status).toBe(401)
    expect(outside.body).not.toContain('Secret title')
    const enter = (password: string, origin = ownOrigin(server)) =>
      post(
        page,
        [
          ['form.action', 'sign-in'],
          ['form.username', 'guest'],
          ['form.password', password],
        ],
        { origin },
      )
    const wrong = await enter('wrong')
    expect(wrong.status).toBe(401)
    expect(wrong.body).toContain('The user name or the password is wrong.')
    expect((await enter('open sesame', 'https://evil.test')).status).toBe(403)
    const right = await enter('open sesame')
    expect([right.status, right.headers.location]).toEqual([303, page])
    const cookie = String(right.headers['set-cookie'])
    expect(cookie).toMatch(/^form_[0-9a-f]{16}=.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await call(`GET ${page}`, { headers })).body).toContain('Secret title')
    expect((await call(`GET ${path}`, { headers })).status).toBe(200)

    // Another site must not use the visitor's cookie.
    expect((await call(`POST ${path}/submit`, { headers, body: {} })).status).toBe(403)
    const own = { ...headers, origin: ownOrigin(server) }
    expect((await call(`POST ${path}/submit`, { headers: own, body: {} })).status).toBe(202)
    const forged = { cookie: `${headers.cookie.slice(0, -1)}${headers.cookie.endsWith('A') ? 'B' : 'A'}` }
    expect((await call(`GET ${path}`, { headers: forged })).status).toBe(401)

    const { publishSeededForm } = await import('@troupe/test-kit/seed-form')
    await publishSeededForm(server.context, {
      organizationId: server.seed.organizationId,
      workflowId,
      password: 'another one',
    })
    expect((await call(`GET ${path}`, { headers })).status).toBe(401)
  })

  test('a session over the API is the same cookie', async () => {
    const { path } = await seed({
      config: { auth: { mode: 'basic', username: 'guest' } },
      password: 'open sesame',
    })
    const answer = await call(`POST ${path}/session`, {
      body: { username: 'guest', password: 'open sesame' },
    })
    expect([answer.status, answer.body]).toEqual([204, ''])
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
    expect((await call(`GET ${path}`, { headers: { cookie } })).status).toBe(200)
    const open = await seed()
    expect((await call(`POST ${open.path}/session`, { body: { username: 'a', password: 'b' } })).status).toBe(
      400,
    )
  })

  test('the eleventh wrong password is 429, and so is the correct one then', {
    timeout: 60_000,
  }, async () => {
    const { path } = await seed({
      config: { auth: { mode: 'basic', username: 'guest' } },
      password: 'open sesame',
    })
    const attempt = (password: string) =>
      call(`POST ${path}/session`, { body: { username: 'guest', password } })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => attempt(`guess ${at}`)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
    const late = await attempt('open sesame')
    expect(late.status).toBe(429)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(60)
  })
})

describe('a form for members', () => {
  test('401 for a visitor, 403 for a member of another organization and a suspended one, and the run records the member', async () => {
    const { page, path } = await seed({ config: { auth: { mode: 'service-login' }, title: 'Secret title' } })
    const { organizationId, otherOrganizationId, keys } = server.seed
    const outside = await call(`GET ${page}`)
    expect(outside.status).toBe(401)
    expect(outside.body).toContain(`href="/sign-in?next=${encodeURIComponent(page)}"`)
    expect(outside.body).not.toContain('Secret title')
    const unsigned = await call(`GET ${path}`)
    expect(unsigned).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(unsigned.headers['www-authenticate']).toBeUndefined()
    expect((await call(`GET ${path}`, { headers: { 'x-api-key': keys.organization } })).status).toBe(401)

    const stranger = await seedPerson(server.context.database, { organizationId: otherOrganizationId })
    const suspended = await seedPerson(server.context.database, { organizationId, status: 'suspended' })
    for (const person of [stranger, suspended]) {
      const cookie = await signIn(server, person)
      expect(await call(`GET ${path}`, { headers: { cookie } })).toMatchObject({
        status: 403,
        body: { error: 'forbidden', message: 'You are not a member of this organization.' },
      })
      const answer = await call(`GET ${page}`, { headers: { cookie } })
      expect([answer.status, String(answer.body).includes('Secret title')]).toEqual([403, false])
    }

    const member = await seedPerson(server.context.database, { organizationId })
    const cookie = await signIn(server, member)
    expect((await call(`GET ${page}`, { headers: { cookie } })).body).toContain('Secret title')
    expect((await call(`POST ${path}/submit`, { headers: { cookie }, body: {} })).status).toBe(403)
    const headers = { cookie, origin: ownOrigin(server) }
    expect((await call(`POST ${path}/submit`, { headers, body: {} })).status).toBe(202)
  })
})
