import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { propertyOf } from '@troupe/contract'
import type { AgentDetails } from '@troupe/contract/builder'
import { openDatabase } from '@troupe/storage'
import { createLogger } from '@troupe/telemetry/logger'
import { edge, node } from '@troupe/test-kit/graph-parts'
import { ownOrigin } from '@troupe/test-kit/seed-person'
import { seedWebhook, signedHeaders } from '@troupe/test-kit/seed-webhook'
import { listed, startHostileServer } from '@troupe/tools/testing/hostile-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asMember, asOperator } from '../builder/builder-caller.ts'
import { type RunSetting, startRunSetting } from '../runs/model-agent.ts'
import { type ShopServer, startShopServer } from '../tools/shop-server.ts'
import { everyAnswer } from './every-answer.ts'

// A separate secret in every kind of place that stores one. Everything is executed, including on a server that echoes requests, and
// then everything is read: no secret may appear anywhere.

const canary = (name: string) => `canary-${name}-${randomUUID().replaceAll('-', '')}`
const CANARIES = {
  bearer: canary('bearer'),
  basic: canary('basic'),
  header: canary('header'),
  query: canary('query'),
  model: canary('model'),
  context: canary('context'),
  trunk: canary('trunk'),
  form: canary('form'),
  mcp: canary('mcp'),
  guard: canary('guard'),
  hearing: canary('hearing'),
  speech: canary('speech'),
  fallback: canary('fallback'),
}
type Canary = keyof typeof CANARIES
/** The control, not a secret: it must be found, which proves that the search covers its kind. */
const CONTROL = canary('control')

/** Each read text with its place: `log`, `GET /api/v1/agents`. */
const seen: [where: string, text: string][] = []
const note = (where: string, value: unknown) =>
  void seen.push([where, typeof value === 'string' ? value : JSON.stringify(value)])

/** Created secrets: shown once to their creator, and nowhere else. */
const minted: Record<string, string> = {}

let log = ''
let folder: string
let setting: RunSetting
let shop: ShopServer
let origin: string
const kept = { database: null as Awaited<ReturnType<typeof openDatabase>> | null }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-canaries-'))
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk)
      done()
    },
  })
  const database = await openDatabase({ kind: 'pglite', directory: join(folder, 'database') })
  kept.database = database
  setting = await startRunSetting({ overrides: { database, log: createLogger({ level: 'trace' }, sink) } })
  await setting.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(setting.server.app.server.address() as AddressInfo).port}`
  shop = await startShopServer()
  // A server that echoes every request, in its headers and its body.
  shop.answer((request, response) => {
    const { url, headers } = request
    response.setHeader('x-repeated', String(headers.authorization ?? headers['x-key'] ?? ''))
    response.end(JSON.stringify({ url, headers, seen: shop.seen.at(-1) }))
  })
})
afterAll(async () => {
  await setting[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  await kept.database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** The form in which a secret appears: plain, in JSON, in a URL, in base64, or reversed. */
function shownIn(text: string, secret: string): boolean {
  const forms = [
    secret,
    Buffer.from(`ana:${secret}`).toString('base64').slice(0, -4),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]
  return forms.some((form) => text.includes(form))
}

test('a secret of every kind is in no response, prompt, event, trace, log, metric, export or page of the database', {
  timeout: 120_000,
}, async () => {
  const { server, model } = setting
  const owner = await asMember(server, 'owner', 'Olga')
  const operator = asOperator(server)
  const { organizationId } = server.seed
  const key = server.seed.keys.organization
  minted['a key of the seed'] = key
  minted['a password'] = owner.person.password
  minted['a session'] = decodeURIComponent(owner.cookie.slice(owner.cookie.indexOf('=') + 1))
  minted['the admin token'] = server.adminToken

  /** Sends a change, records its response, and returns it. */
  const change = async (target: string, body: object) => {
    const answer = await owner.send(target, body)
    note(target, answer.body)
    expect([target, answer.status, answer.status < 300 ? null : answer.body]).toEqual([
      target,
      expect.toSatisfy((status: number) => status < 300),
      null,
    ])
    return answer.body
  }
  const idOf = (body: unknown, name: string) => String(propertyOf(body, name))

  // Credentials of every kind, each for a tool.
  const credential = async (kind: 'bearer' | 'basic' | 'header' | 'query', more: object = {}) => {
    const body = {
      slug: `c-${kind}`,
      name: kind,
      kind,
      secret: CANARIES[kind],
      hosts: ['localhost'],
      ...more,
    }
    return idOf(await change('POST /credentials', body), 'credentialId')
  }
  const credentials = [
    await credential('bearer'),
    await credential('basic', { username: 'ana' }),
    await credential('header', { field: 'x-key' }),
    await credential('query', { field: 'key' }),
  ]
  const bearerOf = async (name: 'mcp' | 'guard' | 'hearing' | 'speech' | 'fallback', host = 'localhost') => {
    const of = { slug: `c-${name}`, name, kind: 'bearer', secret: CANARIES[name], hosts: [host] }
    return idOf(await change('POST /credentials', of), 'credentialId')
  }
  // An MCP server that repeats its credential in its tools and in their results.
  await using repeating = await startHostileServer()
  const authorized = new Set<string | undefined>()
  repeating.on['tools/list'] = (_message, _response, { headers }) => {
    const said = `You sent ${headers.authorization}.`
    const inputSchema = { type: 'object', properties: { a: { type: 'string', description: said } } }
    return { tools: [listed('repeat', { description: said, inputSchema })] }
  }
  repeating.on['tools/call'] = (_message, _response, { headers }) => {
    authorized.add(headers.authorization)
    return { content: [{ type: 'text', text: `You sent ${headers.authorization}.` }] }
  }
  const mcpServer = await change('POST /mcp-servers', {
    ...{ slug: 'shop', name: 'Shop', url: repeating.url },
    credentialId: await bearerOf('mcp', '127.0.0.1'),
  })
  const llm = idOf(
    await change('POST /llm-configurations', {
      ...{ slug: 'scripted', name: 'Scripted', providerId: 'openai-compatible', baseUrl: model.url },
      ...{ credentials: { apiKey: CANARIES.model }, models: [{ modelId: 'scripted-1' }] },
    }),
    'llmConfigId',
  )
  await change('POST /phone-trunks', {
    ...{ slug: 'carrier', name: 'Carrier', direction: 'inbound', address: 'sip.carrier.test' },
    auth: { username: 'ana', password: CANARIES.trunk },
  })
  const newKey = await owner.send('POST /api-keys', { name: 'ci' })
  minted['a key'] = idOf(newKey.body, 'secret')
  const invitation = await owner.send('POST /invitations', { email: 'new@acme.test', role: 'member' })
  const link = JSON.stringify(invitation.body).match(/invitations\/([\w-]{16,})/)?.[1]
  if (link) minted['an invitation'] = link
  expect(Object.keys(minted)).toEqual(
    expect.arrayContaining([
      'a key of the seed',
      'a password',
      'a session',
      'the admin token',
      'a key',
      'an invitation',
    ]),
  )

  // An agent whose tools send every credential, and a value of the context, to a server that echoes them.
  const tools = credentials.map((id, at) => ({
    ...{ type: 'http', name: `echo_${at}`, method: 'POST', url: `${shop.origin}/echo/${at}` },
    ...{
      headers: { 'x-context': '{{ context.token }}' },
      context_keys: [{ key: 'token' }],
      auth_credential_id: id,
    },
  }))
  const agent = await setting.agent({
    model: { primary: { llm_config_id: llm, model_id: 'scripted-1' } },
    tools: [...tools, { type: 'mcp', server_id: idOf(mcpServer, 'mcpServerId') }],
  })
  const toolNames = [...tools.map(({ name }) => name), 'shop_repeat']
  const calls = { toolCalls: toolNames.map((name) => ({ name, arguments: {} })) }
  const body = {
    message: `Call everything. ${CONTROL}`,
    include_messages: true,
    tool_context: { token: CANARIES.context },
  }
  model.script(calls, 'Done.')
  const run = await setting.run(agent.agentId, body)
  note('a run', run.body)
  expect([run.status, shop.seen.filter(({ url }) => url.startsWith('/echo')).length]).toEqual([200, 4])
  const sent = JSON.stringify(shop.seen.map(({ url, headers }) => [url, headers]))
  for (const name of ['bearer', 'header', 'query', 'context'] as const) {
    expect(sent, `${name} was used`).toContain(CANARIES[name])
  }
  expect(sent, 'basic was used').toContain(Buffer.from(`ana:${CANARIES.basic}`).toString('base64'))
  expect(shop.seen.some(({ headers }) => headers['x-context'] === CANARIES.context)).toBe(true)
  expect([...authorized]).toEqual([`Bearer ${CANARIES.mcp}`])
  expect(JSON.stringify(model.requests), 'the tool is in the prompt').toContain('You sent')
  let streamed = ''
  for (const path of ['run-stream', 'run-async']) {
    model.script(calls, `Done. ${CONTROL}`)
    // A stream ends on a socket only.
    const answer = await fetch(`${origin}/api/v1/agents/${agent.agentId}/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    note(path, text)
    if (path === 'run-stream') {
      expect(text).toContain('RunCompleted')
      streamed = /"runId":"([^"]+)"/.exec(text)?.[1] ?? ''
      continue
    }
    const jobId = String(propertyOf(JSON.parse(text), 'jobId'))
    const status = async () => propertyOf((await server.call(`GET /api/v1/jobs/${jobId}`)).body, 'status')
    await expect.poll(status, { timeout: 30_000 }).toBe('completed')
  }
  // A tool that fails with its own request.
  const repeat = { tool: tools[0], arguments: {}, tool_context: { token: CANARIES.context } }
  note('a trial', (await server.call('POST /api/v1/tools/test', { body: repeat })).body)
  shop.answer((request, response) => {
    response.statusCode = 401
    response.end(`bad token ${request.headers.authorization} ${request.url} ${request.headers['x-context']}`)
  })
  note('a failed trial', (await server.call('POST /api/v1/tools/test', { body: repeat })).body)
  model.script({ status: 401, body: `bad key ${CANARIES.model}` } as never, 'Done.')
  note('a refused model', (await setting.run(agent.agentId, body)).body)

  // Guardrails that call a web service, which echoes its credential as the reason and as the replacement.
  shop.answer((request, response) => {
    const repeated = `bad token ${request.headers.authorization} ${JSON.stringify(request.headers)}`
    response.end(JSON.stringify({ allow: false, reason: repeated, replacement: repeated }))
  })
  const guard = { type: 'webhook', url: `${shop.origin}/guard`, credential_id: await bearerOf('guard') }
  for (const stage of ['input', 'output']) {
    for (const action of ['block', 'redact', 'flag']) {
      const guarded = await setting.agent({
        model: { primary: { llm_config_id: llm, model_id: 'scripted-1' } },
        guardrails: { [stage]: [{ ...guard, action }] },
      })
      model.script('Said.', 'Said.')
      const ask = { message: `Is that allowed? ${CONTROL}`, include_messages: true }
      note(`a guarded ${stage}, ${action}`, (await setting.run(guarded.agentId, ask)).body)
    }
  }
  const guarding = shop.seen.filter(({ url }) => url === '/guard')
  expect(guarding.length).toBeGreaterThanOrEqual(6)
  expect(new Set(guarding.map(({ headers }) => headers.authorization))).toEqual(
    new Set([`Bearer ${CANARIES.guard}`]),
  )

  // A voice whose server refuses with its request, and then returns it instead of audio.
  const voice = await change('POST /voice-configurations', {
    ...{ slug: 'desk', agentId: agent.agentId, sttProvider: 'openai', ttsProvider: 'openai' },
    sttCredentialId: await bearerOf('hearing'),
    ttsCredentialId: await bearerOf('speech'),
    settings: {
      stt: { baseUrl: `${shop.origin}/hear` },
      tts: {
        baseUrl: `${shop.origin}/speak`,
        fallbacks: [{ provider: 'openai', credential_id: await bearerOf('fallback', 'api.openai.com') }],
      },
    },
  })
  const spoken = { voiceConfigId: idOf(voice, 'voiceConfigId'), text: 'Hello.' }
  for (const status of [401, 200]) {
    shop.answer((request, response) => {
      response.statusCode = status
      response.end(JSON.stringify({ error: { message: `bad key ${request.headers.authorization}` } }))
    })
    note(`a voice that answers ${status}`, (await owner.send('POST /voice-configurations/test', spoken)).body)
  }
  expect(
    shop.seen.filter(({ url }) => url.startsWith('/speak')).map(({ headers }) => headers.authorization),
  ).toEqual(Array(2).fill(`Bearer ${CANARIES.speech}`))

  // A workflow with a webhook and a form with a password.
  const webhook = await seedWebhook(server.context, { organizationId, projectId: null })
  minted['a signing secret'] = webhook.signingSecret
  const delivery = await server.app.inject({
    ...{ method: 'POST', url: webhook.path, headers: signedHeaders(webhook.signingSecret, '{"a":1}') },
    payload: '{"a":1}',
  })
  note('a delivery', delivery.body)
  const workflow = await change('POST /workflows', {
    name: 'Form',
    draft: {
      nodes: [
        node('form', 'form-trigger', {
          ...{ title: 'Form', fields: [{ name: 'a', label: 'A', type: 'text' }] },
          auth: { mode: 'basic', username: 'guest' },
        }),
        node('keep', 'edit-fields', { rows: [{ name: 'a', value: '{{ trigger.body.a }}' }] }),
      ],
      edges: [edge('form', 'keep')],
    },
  })
  const workflowId = idOf(workflow, 'workflowId')
  // Listeners: their own secrets are shown once, and a call has credentials in its headers.
  for (const kind of ['webhook', 'form']) {
    const listener = (await owner.send(`POST /workflows/${workflowId}/listeners`, { kind })).body
    minted[`the secret of a listener of a ${kind}`] = idOf(listener, 'secret')
    if (kind === 'form') continue
    const called = await server.app.inject({
      method: 'POST',
      url: new URL(idOf(listener, 'url')).pathname,
      headers: { ...signedHeaders(idOf(listener, 'secret'), '{"a":1}'), 'x-api-key': key },
      payload: `{"a":1,"b":"${CONTROL}"}`,
    })
    note('a call of a listener', called.body)
  }
  const password = await owner.send(`PUT /workflows/${workflowId}/form-password`, { password: CANARIES.form })
  note('a form password', password.body)

  // Unsaved changes of the agent, with the settings of its tools.
  const unsaved = `/unsaved-changes/agent/${agent.agentId}`
  const { name, description, config, versionId } = (await owner.send(`GET /agents/${agent.agentId}`))
    .body as AgentDetails
  const edit = {
    baseVersionId: versionId,
    mine: { name: `${name} ${CONTROL}`, description, config },
    from: { name, description, config },
  }
  await change(`PUT ${unsaved}`, { changeId: randomUUID(), replaces: null, edit })

  // Reads everything.
  const asOwner = { cookie: owner.cookie, origin: ownOrigin(server) }
  const answered = await everyAnswer(
    {
      api_key: (target) => server.call(target),
      builder: (target) => server.call(target, { key: null, headers: asOwner }),
    },
    {
      ...{ organizationId, agentId: agent.agentId, runId: idOf(run.body, 'runId'), workflowId },
      ...{ kind: 'agent', thingId: agent.agentId, userId: owner.person.userId },
    },
    (target, answer) => note(`GET ${target}`, answer.body),
  )
  expect([...answered]).toEqual(
    expect.arrayContaining([
      'listAgents',
      'getCredential',
      'getLlmConfiguration',
      'listAudit',
      'getRunPrompt',
      'listApiKeys',
      'getVoiceConfiguration',
      'listListeners',
      'getListenerCall',
      'getUnsavedChanges',
      'getPersonsUnsavedChanges',
    ]),
  )
  expect(answered.size).toBeGreaterThan(40)
  note('an export', (await operator.send('GET /bundle')).body)
  note(
    'an export of all',
    (
      await server.call('GET /api/builder/bundles?organization=acme', {
        key: null,
        headers: { authorization: `Bearer ${server.adminToken}` },
      })
    ).body,
  )
  note('metrics', (await server.call('GET /metrics', { key: null })).body)
  for (const request of model.requests) note('a prompt', request.body)
  note('the log', log)
  expect(log.length).toBeGreaterThan(100)

  const events = await server.context.database.runs.eventsAfter(streamed as never, 0)
  note('events', events)
  await setting[Symbol.asyncDispose]()
  await kept.database?.[Symbol.asyncDispose]()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = await readFile(join(entry.parentPath, entry.name))
    note('a page of the database', bytes.toString('latin1'))
  }

  const controls = seen.filter(([, text]) => text.includes(CONTROL)).map(([where]) => where)
  expect(controls).toEqual(
    expect.arrayContaining(['a run', 'run-stream', 'a prompt', 'events', 'a page of the database']),
  )
  expect(controls.filter((where) => where.startsWith('GET ')).length).toBeGreaterThan(2)
  expect(controls).not.toContain('the log')
  expect(controls).not.toContain('metrics')

  const leaks = seen.flatMap(([where, text]) => [
    ...(Object.keys(CANARIES) as Canary[]).flatMap((name) =>
      shownIn(text, CANARIES[name]) ? [`${name} in ${where}`] : [],
    ),
    ...Object.entries(minted).flatMap(([name, secret]) =>
      shownIn(text, secret) ? [`${name} in ${where}`] : [],
    ),
  ])
  expect([...new Set(leaks)]).toEqual([])
})
