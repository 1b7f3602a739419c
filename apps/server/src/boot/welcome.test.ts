import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { COORDINATION_MODES } from '@troupe/contract'
import { openReusedDatabase } from '@troupe/storage/reused-database'
import { freePort } from '@troupe/test-kit/free-port'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { readEnv } from '../config/env.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { applyBootBundle, describeBoot } from './boot.ts'

const run = promisify(execFile)
const project = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url))
const README = readFileSync(project('README.md'), 'utf8')
const ROOT = readFileSync(project('package.json'), 'utf8')
const TROUPE = project('node_modules/.bin/troupe')
let server: ServerProcess
let printed: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-welcome-'))
  const config = readConfig(
    readEnv({ PORT: String(await freePort()), LOG_LEVEL: 'silent', TROUPE_DATA_DIR: folder }),
  )
  const database = await openReusedDatabase()
  const secrets = {
    encryptionKeys: [{ id: 'test', key: Buffer.alloc(32, 1) }],
    adminToken: 'admin-token-of-the-test',
    metricsToken: null,
    setupToken: null,
    databaseUrl: null,
    redisUrl: null,
    smtpUrl: null,
    s3: null,
    voice: null,
  } as const
  const seed = async (context: ServerProcess['context']) => {
    printed = describeBoot(config.publicUrl, await applyBootBundle(context, {}))
  }
  server = await startServer(config, { ...secrets, encryptionKeys: [...secrets.encryptionKeys] }, [seed], {
    database,
  })
})
afterAll(async () => {
  const { database } = server.context
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

describe('the output of the first start', () => {
  test('has the addresses and the key', () => {
    expect(printed).toContain(`${server.context.config.publicUrl}/docs`)
    expect(printed).toMatch(/API key {4}trp_\w{49}\n/)
  })

  const lineOf = (path: RegExp) =>
    printed.split('\n').find((line) => line.trim().startsWith('curl ') && path.test(line)) ?? ''
  /** The output of a printed command. */
  const answerOf = async (path: RegExp): Promise<string> => (await run('sh', ['-c', lineOf(path)])).stdout

  test('has curl lines that work as printed', async () => {
    expect(await answerOf(/run-stream'$/)).toContain('event: RunCompleted')
    expect(JSON.parse(await answerOf(/run-sync'$/))).toMatchObject({
      teamName: 'Support Desk',
      content: '[sandbox] Billing: I was charged twice for my invoice.',
      success: true,
    })
    const triaged = await answerOf(/workflows\/\S+\/run'$/)
    expect(JSON.parse(triaged)).toMatchObject({ status: 'completed', error: null })
    expect(triaged).toContain('[sandbox] Shipping: My shipping is late')
  })

  test('has an agent that searches, calls its tools and cites a passage', async () => {
    // The handbook is ingested in the background after the start.
    const line = /agents\/\S+\/run'$/
    await expect.poll(async () => JSON.parse(await answerOf(line)).citations).toHaveLength(1)
    const { content, citations, messages } = JSON.parse(await answerOf(line))
    expect(content).toBe('It takes the days that the handbook says [1], and three helmets cost 387.')
    expect(citations).toMatchObject([{ n: 1, documentName: 'refunds.md' }])
    const calls: { name: string; status: string; result: string }[] = messages.flatMap(
      ({ toolCalls }: { toolCalls: [] | null }) => toolCalls ?? [],
    )
    expect(calls.map(({ name, status }) => [name, status])).toEqual([
      ['search_knowledge', 'ok'],
      ['look_up_order', 'ok'],
      ['sort_message', 'ok'],
      ['calculator', 'ok'],
    ])
    const results = calls.map(({ result }) => result)
    expect(results[1]).toContain('"path":"/orders/A-1001"')
    expect(results[2]).toContain('priority')
    expect(results[3]).toContain('387')
  })

  test('has a job that waits for an approval before it pays', async () => {
    const { publicUrl } = server.context.config
    const { jobId } = JSON.parse(await answerOf(/agents\/\S+\/run-async'$/))
    const waiting = async () => JSON.parse(await answerOf(/approvals/)).data
    await expect.poll(waiting).toMatchObject([{ toolName: 'refund', args: { order: 'A-1001', amount: 129 } }])
    const [{ approvalId }] = await waiting()
    const headers = { 'x-api-key': /trp_\w+/.exec(printed)?.[0] ?? '', 'content-type': 'application/json' }
    await fetch(`${publicUrl}/api/v1/approvals/${approvalId}/resolve`, {
      method: 'POST',
      headers,
      body: '{"decision":"approve"}',
    })
    await expect
      .poll(async () => (await fetch(`${publicUrl}/api/v1/jobs/${jobId}`, { headers })).json())
      .toMatchObject({ status: 'completed' })
  })

  test('has a workflow with an approval: the link in the mail approves, and the run completes', async () => {
    const { publicUrl } = server.context.config
    const { executionId } = JSON.parse(await answerOf(/workflows\/\S+\/run-async'$/))
    const headers = { 'x-api-key': /trp_\w+/.exec(printed)?.[0] ?? '' }
    const ask = async (path: string): Promise<{ data: { reviewId: string }[] }> => {
      const response = await fetch(`${publicUrl}/api/v1/workflow-jobs/${executionId}/${path}`, { headers })
      return (await response.json()) as { data: { reviewId: string }[] }
    }
    const reviewOf = async () => (await ask('reviews')).data[0]?.reviewId
    await expect.poll(reviewOf).toBeTruthy()
    const linkOf = async (reviewId: string) => {
      const mails = await Promise.all(
        (await readdir(join(folder, 'mail'))).map((file) => readFile(join(folder, 'mail', file), 'utf8')),
      )
      return mails.map((mail) => /http\S+token=\S+/.exec(mail)?.[0]).find((link) => link?.includes(reviewId))
    }
    const reviewId = (await reviewOf()) ?? ''
    await expect.poll(() => linkOf(reviewId).catch(() => null)).toBeTruthy()
    const link = new URL((await linkOf(reviewId)) ?? '')
    expect(await (await fetch(link)).text()).toContain('Refund of 120 for A-1001')
    const token = link.searchParams.get('token') ?? ''
    const body = new URLSearchParams({ token, decision: 'approve', name: 'You', 'data.amount': '100' })
    expect(
      (await fetch(link.origin + link.pathname, { method: 'POST', body, redirect: 'manual' })).status,
    ).toBe(303)
    await expect
      .poll(() => ask('result'))
      .toMatchObject({ status: 'completed', output: { pay: 100, approvedBy: 'You' } })
  })

  test('has a form: its page takes a document, and its text is answered', async () => {
    const { publicUrl } = server.context.config
    const page = /http\S+\/forms\/\w+/.exec(printed)?.[0] ?? ''
    expect(await (await fetch(page)).text()).toContain('<h1>Send us a document</h1>')
    const api = page.replace('/forms/', '/api/v1/forms/')
    const file = new FormData()
    file.append('file', new File(['Your invoice: the total amount is due.'], 'invoice.txt'))
    const uploaded = await fetch(`${api}/upload?field=document`, { method: 'POST', body: file })
    expect(uploaded.status).toBe(201)
    const { fileId } = (await uploaded.json()) as { fileId: string }
    const started = new Promise<string>((resolve) => {
      const { workflowRuns } = server.context.database
      const claim = workflowRuns.claim.bind(workflowRuns)
      workflowRuns.claim = (delivery, ...rest) => {
        resolve(delivery.runId)
        return claim(delivery, ...rest)
      }
    })
    const answer = await fetch(`${api}/submit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ana', email: 'ana@acme.test', document: fileId }),
    })
    expect([answer.status, await answer.json()]).toEqual([202, { status: 'received' }])
    const url = `${publicUrl}/api/v1/workflow-jobs/${await started}/result`
    const key = /trp_\w+/.exec(printed)?.[0] ?? ''
    await expect
      .poll(async () => (await fetch(url, { headers: { 'x-api-key': key } })).json())
      .toMatchObject({
        status: 'completed',
        output: '[sandbox] Billing: Your invoice: the total amount is due.',
      })
  })

  test('has a signed webhook call that works as printed, and repeating it starts no second run', async () => {
    const [line = ''] = printed.split('\n').filter((text) => text.trim().startsWith('BODY='))
    const { stdout } = await run('sh', ['-c', line])
    const { executionId } = JSON.parse(stdout)
    const key = /trp_\w+/.exec(printed)?.[0] ?? ''
    const result = async () => {
      const url = `${server.context.config.publicUrl}/api/v1/workflow-jobs/${executionId}/result`
      return (await fetch(url, { headers: { 'x-api-key': key } })).json()
    }
    await expect
      .poll(result)
      .toMatchObject({ status: 'completed', output: { orderId: 'A-1001', next: 'check by hand' } })
  })

  test('has a workflow that also runs as a job', async () => {
    const [line = ''] = printed.split('\n').filter((text) => /workflows\/[0-9a-f-]+\/run'/.test(text))
    const accepted = JSON.parse((await run('sh', ['-c', line.replace(/\/run'$/, "/run-async'")])).stdout)
    expect(accepted).toMatchObject({ status: 'queued' })
    const key = /trp_\w+/.exec(printed)?.[0] ?? ''
    const poll = async () => {
      const url = `${server.context.config.publicUrl}/api/v1/workflow-jobs/${accepted.executionId}`
      return (await fetch(url, { headers: { 'x-api-key': key } })).json()
    }
    await expect.poll(poll).toMatchObject({ status: 'completed', error: null })
  })

  test('lists a team of each mode, and each answers', async () => {
    const key = /trp_\w+/.exec(printed)?.[0] ?? ''
    const listed = [...printed.matchAll(/^ {2}([a-z-]+) +([0-9a-f-]{36}) {2}\S/gm)]
    expect(listed.map(([, mode]) => mode)).toEqual([...COORDINATION_MODES])
    for (const [, mode, id] of listed) {
      const response = await fetch(`${server.context.config.publicUrl}/api/v1/teams/${id}/run-sync`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'Write an article about the history of lighthouses.' }),
      })
      expect([mode, response.status]).toEqual([mode, 200])
      const { content } = (await response.json()) as { content: string }
      if (mode === 'plan-execute') expect(content).toMatch(/\n\nGoal completed: yes$/)
    }
  })

  test('names an agent with a fallback model that takes over on demand', async () => {
    const id = /for agent (\S+) to see/.exec(printed)?.[1]
    const key = /trp_\w+/.exec(printed)?.[0] ?? ''
    const response = await fetch(`${server.context.config.publicUrl}/api/v1/agents/${id}/run`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Where is my order? [[fail: 503 x1]]' }),
    })
    expect(await response.json()).toMatchObject({
      content: '[sandbox] Always On: Where is my order?',
      metrics: { failoverUsed: true },
    })
  })
})

/** The README's code blocks of one language. */
const blocksOf = (language: string) =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n((?:(?!\`\`\`).*\\n)*)`, 'gm'))].map(
    ([, text = '']) => text,
  )

describe('the README', () => {
  test('has commands for a first agent that work as printed, with the printed key', async () => {
    const key = /trp_\w{49}/.exec(printed)?.[0] ?? ''
    const [commands = ''] = blocksOf('sh').filter((text) => text.includes('curl '))
    const script = commands
      .replace('http://localhost:3000', server.context.config.publicUrl)
      .replace('trp_your_key', key)
    const { stdout } = await run('sh', ['-eu', '-c', script])
    expect(JSON.parse(stdout)).toMatchObject({ success: true, content: '[sandbox] Writer: Rain.' })
  })

  test('has the printed command for the Researcher, except for the key and the ids', async () => {
    const line = printed.split('\n').find((text) => /agents\/\S+\/run'$/.test(text)) ?? ''
    const id = /agents\/(\S+)\/run'$/.exec(line)?.[1] ?? ''
    const key = /trp_\w{49}/.exec(printed)?.[0] ?? ''
    const [first = '', research = ''] = blocksOf('sh').filter((text) => text.includes('curl '))
    const body = (text: string) => /-d '(\{.*\})'/.exec(text)?.[1]
    expect(body(research)).toBe(body(line))
    const script = `${first.slice(0, first.indexOf('AGENT='))}\n${research}`
      .replace('http://localhost:3000', server.context.config.publicUrl)
      .replace('trp_your_key', key)
      .replace('id_of_the_researcher', id)
    const answer = async () => JSON.parse((await run('sh', ['-eu', '-c', script])).stdout)
    await expect.poll(async () => (await answer()).citations).toHaveLength(1)
    expect(await answer()).toMatchObject({ success: true, citations: [{ documentName: 'refunds.md' }] })
  })

  test('has a bundle that is applied and exported as printed', async () => {
    const [bundle = ''] = blocksOf('yaml')
    await writeFile(join(folder, 'troupe.yaml'), bundle)
    const [commands = ''] = blocksOf('sh').filter((text) => text.includes('npx troupe'))
    // `npx` runs the program linked by `npm ci` in the project folder.
    const script = commands.replaceAll('npx troupe', `'${TROUPE}'`)
    const { PATH } = process.env
    const environment = {
      PATH,
      TROUPE_PUBLIC_URL: server.context.config.publicUrl,
      TROUPE_ADMIN_TOKEN: 'admin-token-of-the-test',
    }
    const { stdout } = await run('sh', ['-eu', '-c', script], { cwd: folder, env: environment })
    expect(stdout).toContain('slug: acme')
    expect(stdout).toContain('slug: helper')
  })

  test('names only commands that exist', () => {
    const named = blocksOf('sh').flatMap((text) => text.match(/\bnpm (?:run )?[a-z:]+/g) ?? [])
    const { scripts } = JSON.parse(ROOT)
    for (const command of named) {
      const script = command.replace(/^npm (run )?/, '')
      expect(script === 'ci' || Object.hasOwn(scripts, script), command).toBe(true)
    }
  })
})
