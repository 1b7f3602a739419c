import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdmission } from '@troupe/http/access'
import { createApp } from '@troupe/http/create-app'
import type { App } from '@troupe/http/server-types'
import { openDatabase } from '@troupe/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { readEnv } from '../config/env.ts'
import { registerBundleArchives } from '../routes/builder/bundle-archives.ts'
import { registerBundles } from '../routes/builder/bundles.ts'
import { registerMcpServerTools } from '../routes/builder/mcp-server-tools.ts'
import { registerOrganization } from '../routes/builder/organization.ts'
import { registerPasswordResetLinks } from '../routes/builder/password-reset-links.ts'
import type { Context } from '../wiring/context.ts'
import { createContext } from '../wiring/create-context.ts'
import { runCli } from './run-cli.ts'

const TOKEN = 'the-token-of-the-operator'
let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-cli-'))
  file = join(folder, 'acme.yaml')
  await writeFile(
    file,
    `apiVersion: troupe/v1
organizations:
  - slug: acme
    name: "\${NAME} and $\${LITERAL}"
    apiKeys: [{ name: ci }]
    llmConfigurations:
      - { slug: sand, name: Sand, providerId: sandbox, models: [{ modelId: sandbox-1 }] }
    agents:
      - slug: a
        name: A
        config:
          model: { primary: { llm_config: "\${LLM}" } }
`,
  )
})
afterAll(() => rm(folder, { recursive: true }))

const VARIABLES = { NAME: `Acme: "big"\n\${TRAP}`, LLM: 'sand' }

async function troupe(args: string[], environment: Record<string, string>) {
  const written = { out: '', err: '' }
  const output = {
    out(text: string) {
      written.out += text
    },
    err(text: string) {
      written.err += text
    },
  }
  const code = await runCli(args, readEnv(environment), output)
  return { code, ...written }
}

describe('the command line', () => {
  test('prints its help', async () => {
    expect(await troupe(['--help'], {})).toMatchObject({ code: 0, err: '' })
    expect((await troupe([], {})).out).toContain('troupe apply <file>')
  })

  test.each([
    [['explode'], /Unknown command "explode"/],
    [['apply'], /Usage: troupe apply <file>/],
    [['apply', 'x', '--colour'], /^Unknown option --colour\.\n/],
    [['export', '--url', 'ftp://x'], /must start with http/],
    [['reset-link'], /Usage: troupe reset-link <e-mail address>/],
    [['reset-link', 'a@acme.test', '-o', 'x'], /Usage: troupe reset-link <e-mail address>/],
    [['mcp-tools', 'tickets'], /Usage: troupe mcp-tools <server>/],
    [['mcp-tools', 'tickets', '--organization', 'acme', '--confirm', 'echo'], /Usage: troupe mcp-tools/],
    [['create-owner', 'ana@acme.test'], /Usage: troupe create-owner/],
    [['create-owner', 'ana@acme.test', '--organization', 'Acme Inc'], /Usage: troupe create-owner/],
    [['export', '--name', 'x'], /Only create-owner accepts --name/],
    [['export', '--confirm', 'a=b'], /Only mcp-tools accepts --confirm/],
    [['apply', '/nowhere/at/all.yaml'], /cannot be read \(ENOENT\)/],
    [['export', '--url', 'http://127.0.0.1:1', '--token', 'x'], /cannot be reached/],
  ])('%j is an error', async (args, message) => {
    const { code, err, out } = await troupe(args, {})
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })
})

describe('with a running server', () => {
  let context: Context
  let app: App
  let url: string

  beforeAll(async () => {
    const database = await openDatabase({ kind: 'pglite', directory: null })
    const secrets = {
      encryptionKeys: [{ id: 'test', key: Buffer.alloc(32, 1) }] as const,
      adminToken: TOKEN,
      metricsToken: null,
      setupToken: null,
      databaseUrl: null,
      redisUrl: null,
      smtpUrl: null,
      s3: null,
      voice: null,
    }
    context = await createContext(readConfig(readEnv({ LOG_LEVEL: 'silent' })), secrets, { database })
    const { log, metrics } = context
    app = createApp({ log, metrics, admit: createAdmission(context) })
    registerBundles(app, context)
    registerBundleArchives(app, context)
    registerPasswordResetLinks(app, context)
    registerMcpServerTools(app, context)
    registerOrganization(app, context)
    url = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await app.close()
    await context[Symbol.asyncDispose]()
    await context.database[Symbol.asyncDispose]()
  })

  const here = (variables: Record<string, string> = VARIABLES) => ({
    ...variables,
    PORT: new URL(url).port,
    TROUPE_PUBLIC_URL: url,
    TROUPE_ADMIN_TOKEN: TOKEN,
    TROUPE_DATA_DIR: join(folder, 'unused'),
  })

  test('resolves variables here, applies there, and prints the changes', async () => {
    const first = await troupe(['apply', file], here())
    expect(first).toMatchObject({ code: 0 })
    expect(first.err).toContain(`to ${url}`)
    expect(first.out).toMatch(/acme\n {2}projects +none\n {2}members +none\n {2}API keys +1 created\n/)
    expect(first.out).toMatch(/acme \/ ci: trp_\w{49}/)
    const again = await troupe(['apply', file], here())
    expect(again.out).toMatch(/agents +1 unchanged/)
    expect(again.out).not.toContain('trp_')
    expect(await context.database.read.organizations.bySlug('acme')).toMatchObject({
      name: `${VARIABLES.NAME} and \${LITERAL}`,
    })
  })

  test('reports the server’s problems with line numbers of the file', async () => {
    const { code, err } = await troupe(['apply', file], here({ NAME: 'Acme', LLM: 'nobody' }))
    expect(code).toBe(1)
    expect(err).toContain(
      `${file}:12  organizations.0.agents.0.config.model.primary.llm_config  is not an LLM configuration of this organization: nobody\n`,
    )
    expect(err).toContain('nothing was applied')
  })

  test('reports a missing variable without calling the server', async () => {
    const { code, err } = await troupe(['apply', file], here({ LLM: 'sand' }))
    expect(code).toBe(1)
    expect(err).toContain(`${file}:4  organizations.0.name  needs the environment variable NAME`)
  })

  test('exports to a file or to the output', async () => {
    const path = join(folder, 'exported.yaml')
    expect(await troupe(['export', '-o', path], here())).toMatchObject({ code: 0, out: '' })
    const { out } = await troupe(['export', '--organization', 'acme'], here())
    expect(out).toBe(await readFile(path, 'utf8'))
    expect(await troupe(['export', '--organization', 'nobody'], here())).toMatchObject({
      code: 1,
      err: 'Organization not found.\n',
    })
  })

  test('sends the files of a folder, and exports them as an archive and as a folder', async () => {
    const source = join(folder, 'shop')
    await mkdir(source)
    await writeFile(join(source, 'prices.csv'), 'item,price\nbike,900\n')
    await writeFile(
      join(source, 'bundle.yaml'),
      `apiVersion: troupe/v1
organizations:
  - slug: shop
    name: Shop
    knowledgeBases: [{ slug: prices, name: Prices, documents: [{ path: prices.csv }] }]
`,
    )
    const first = await troupe(['apply', source], here())
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/documents +1 created/) })
    const [archive, out] = [join(folder, 'shop.zip'), `${join(folder, 'shop-out')}/`]
    for (const output of [archive, out]) {
      const args = ['export', '--organization', 'shop', '-o', output]
      expect(await troupe(args, here())).toEqual({ code: 0, out: '', err: `Wrote ${output}\n` })
      const again = await troupe(['apply', output], here())
      expect(again.out).toMatch(/documents +1 unchanged/)
    }
    expect(await readFile(join(out, 'files/shop/prices/prices.csv'), 'utf8')).toContain('bike,900')
    const full = await troupe(['export', '-o', out], here())
    expect(full).toMatchObject({ code: 1, err: `${out} is not empty. Export to a new folder.\n` })
    // Applied to an empty database, without a server.
    const apart = { PORT: '1', TROUPE_DATA_DIR: join(folder, 'apart') }
    const applied = await troupe(['apply', archive], apart)
    expect(applied).toMatchObject({ code: 0, out: expect.stringMatching(/documents +1 created/) })
    const local = `${join(folder, 'shop-local')}/`
    expect(await troupe(['export', '-o', local], apart)).toMatchObject({ code: 0 })
    expect(await readFile(join(local, 'files/shop/prices/prices.csv'), 'utf8')).toContain('bike,900')
    const plain = await troupe(['export', '-o', join(folder, 'plain.yaml')], apart)
    expect(plain.err).toContain('does not contain: document prices.csv of prices. With -o bundle.zip')
    const broken = join(folder, 'broken.zip')
    await writeFile(broken, (await readFile(archive)).subarray(0, 300))
    expect((await troupe(['apply', broken], apart)).err).toMatch(
      /broken\.zip cannot be read \(The archive cannot/,
    )
  })

  test('prints a link for choosing a new password', async () => {
    const members = join(folder, 'members.yaml')
    await writeFile(
      members,
      `apiVersion: troupe/v1
organizations: [{ slug: acme, name: Acme, members: [{ email: ana@acme.test, name: Ana, role: owner }] }]
`,
    )
    expect(await troupe(['apply', members], here())).toMatchObject({ code: 0 })
    const { code, out, err } = await troupe(['reset-link', 'Ana@acme.test'], here())
    expect(code).toBe(0)
    expect(out).toMatch(/^http:\/\/[^/]+\/reset-password\/[\w-]{43}\n$/)
    expect(err).toMatch(/^The link can be used once, until 20\d\d-/)
    expect(await troupe(['reset-link', 'nobody@acme.test'], here())).toMatchObject({
      code: 1,
      out: '',
      err: 'nobody@acme.test has no account.\n',
    })
    expect((await troupe(['reset-link', 'nonsense'], here())).err).toBe(
      'The request is not valid.\nemail must be an e-mail address\n',
    )
  })

  test('creates an organization with its first owner, who chooses a password', async () => {
    const args = ['create-owner', 'boss@new.test', '--organization', 'new']
    expect(await troupe(['create-owner', 'boss', '--organization', 'new'], here())).toMatchObject({
      code: 1,
      err: 'boss is not an e-mail address.\n',
    })
    const { code, out, err } = await troupe(args, here())
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringMatching(/^boss@new\.test owns the/) })
    expect(out).toMatch(/^http:\/\/[^/]+\/reset-password\/[\w-]{43}\n$/)
    const { read } = context.database
    const organization = await read.organizations.bySlug('new')
    const [owner, ...others] = organization ? await read.members.list(organization.id) : []
    expect([owner?.role, owner?.email, others]).toEqual(['owner', 'boss@new.test', []])
    expect(await troupe(args, here())).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^The organization new already exists/),
    })
  })

  test('prints the changed tools of an MCP server, and confirms them by their printed fingerprints', async () => {
    const servers = join(folder, 'servers.yaml')
    await writeFile(
      servers,
      `apiVersion: troupe/v1
organizations:
  - { slug: acme, name: Acme, mcpServers: [{ slug: tickets, name: Tickets, url: "https://tickets.example/mcp" }] }
`,
    )
    expect(await troupe(['apply', servers], here())).toMatchObject({ code: 0 })
    const { read, transaction } = context.database
    const organization = await read.organizations.bySlug('acme')
    const [server] = organization ? await read.mcpServers.list(organization.id) : []
    for (const fingerprint of ['old', 'new']) {
      const tool = { name: 'create', fingerprint, definition: `{"description":"${fingerprint}"}` }
      await transaction(async ({ write }) => {
        if (server) await write.mcpServers.recordTools(server.organizationId, server.id, [tool])
      })
    }
    const of = ['mcp-tools', 'tickets', '--organization', 'acme']
    const { out } = await troupe(of, here())
    expect(out).toMatch(/^tickets: 1 tools, 1 changed\n/)
    expect(out).toMatch(/--- confirmed\n\{"description":"old"\}\n--- offered now\n\{"description":"new"\}/)
    const command = /To confirm it: troupe (.*)/.exec(out)?.[1]?.split(' ') ?? []
    expect(await troupe(command, here())).toMatchObject({ code: 0, out: 'tickets: 1 tools, 0 changed\n' })
    expect((await troupe(command, here())).err).toMatch(
      /tools\.0 is not a changed tool with this fingerprint/,
    )
    expect((await troupe(['mcp-tools', 'nobody', '--organization', 'acme'], here())).err).toBe(
      'MCP server nobody not found.\n',
    )
  })

  test('a wrong token is an error with a next step', async () => {
    const { code, err } = await troupe(['export', '--token', 'wrong'], here())
    expect(code).toBe(1)
    expect(err).toContain('refused the admin token')
  })
})

describe('without a server', () => {
  test('applies to the database directly, and exports from it', async () => {
    // Port 1 is never listened on.
    const here = { ...VARIABLES, PORT: '1', TROUPE_DATA_DIR: join(folder, 'data') }
    const applied = await troupe(['apply', file], here)
    expect(applied.err).toContain('No server is running')
    expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('1 created') })
    const { out, err } = await troupe(['export'], here)
    expect(err).toBe('')
    expect(out).toContain('slug: acme')
    expect(await troupe(['reset-link', 'nobody@acme.test'], here)).toMatchObject({
      code: 1,
      err: 'nobody@acme.test has no account.\n',
    })
    const invalid = await troupe(['apply', file], { ...here, LLM: 'nobody' })
    expect(invalid.err).toContain(`${file}:12  `)
  })

  test('lists the addresses it tried and suggests --url when a server on another port uses the database', async () => {
    const data = join(folder, 'used')
    const directory = join(data, 'database')
    await using _server = await openDatabase({ kind: 'pglite', directory })
    for (const command of [['apply', file], ['export']]) {
      const { code, err } = await troupe(command, { ...VARIABLES, PORT: '1', TROUPE_DATA_DIR: data })
      expect(code).toBe(1)
      expect(err).toBe(
        `No Troupe server answers at http://127.0.0.1:1, but one uses the database: pass its address with --url. (This process has already opened the data folder ${directory}.)\n`,
      )
    }
  })

  test('reports a data folder that is a file in one sentence', async () => {
    const { code, err } = await troupe(['export'], { PORT: '1', TROUPE_DATA_DIR: file })
    expect(code).toBe(1)
    expect(err).toBe(
      `The data folder ${file} is a file, or lies below one. Set TROUPE_DATA_DIR to a folder.\n`,
    )
  })

  test('an invalid bundle creates neither database nor key nor token', async () => {
    const bad = join(folder, 'bad.yaml')
    await writeFile(bad, '- a')
    const data = join(folder, 'never')
    const { code, err } = await troupe(['apply', bad], { PORT: '1', TROUPE_DATA_DIR: data })
    expect(code).toBe(1)
    expect(err).toContain(`${bad}:1  must be an object with apiVersion and organizations\n`)
    await writeFile(bad, Buffer.from('apiVersion: troupe/v1 # M\xfcller', 'latin1'))
    expect((await troupe(['apply', bad], { PORT: '1', TROUPE_DATA_DIR: data })).err).toContain(
      `${bad} cannot be read (not UTF-8).`,
    )
    await expect(stat(data)).rejects.toThrow('ENOENT')
  })

  test('never sends the token to another program on that port', async () => {
    const seen: (string | undefined)[] = []
    const stranger: Server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end('hello')
    })
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const { port } = stranger.address() as AddressInfo
    const { code, err } = await troupe(['export'], { PORT: String(port), TROUPE_ADMIN_TOKEN: TOKEN })
    stranger.closeAllConnections()
    await new Promise((resolve) => stranger.close(resolve))
    expect(code).toBe(1)
    expect(err).toContain('is not a Troupe server')
    expect(seen).toEqual([undefined])
  })
})
