import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@troupe/test-kit/free-port'
import { installPythonTools, ToolsMissingError } from '../schema/python-tools.ts'
import {
  BASE,
  buildBase,
  buildImage,
  type Ended,
  IMAGE,
  MachineError,
  missingPrograms,
  Podman,
  ROOT,
  run,
} from './podman.ts'
import { buildStandIns, type StandIns } from './stand-ins.ts'

/**
 * `npm run test:compose`: both compose files, used as an operator would, with podman-compose: the commands of .env.example, backups
 * of the guide, and two servers of which one is killed. `--built` uses the image of the last run. Exit code 2: not tested on this
 * machine, with the reason.
 */
const READY_MS = 120_000
const JOBS = 24
const MODEL = {
  modelId: 'sandbox-1',
  displayName: 'Sandbox 1',
  contextLength: 128_000,
  maxOutputTokens: 8_192,
}
/** The end of a stored credential, shown by the builder while the server can decrypt it. */
const HINT = 'w7Qz'

let failures = 0
const say = (line: string) => process.stdout.write(`${line}\n`)

function check(what: string, isRight: boolean, details = ''): void {
  if (!isRight) failures += 1
  say(`${isRight ? 'ok    ' : 'FAILED'}  ${what}${isRight ? '' : `\n${details.slice(-3_000)}`}`)
}

const folder = mkdtempSync(join(tmpdir(), 'troupe-compose-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A copy of `deploy/` with its secrets and settings, and the program that reads its compose files. */
class Deployment {
  readonly #program: string
  readonly #podman: string
  readonly #folder: string
  readonly #file: string
  readonly #env: Readonly<Record<string, string>>

  constructor(
    programs: { compose: string; podman: string },
    file: string,
    env: Readonly<Record<string, string>>,
  ) {
    this.#program = programs.compose
    this.#podman = programs.podman
    this.#file = file
    this.#env = { ...env, TROUPE_IMAGE: IMAGE }
    this.#folder = mkdtempSync(join(folder, 'deploy-'))
    cpSync(join(ROOT, 'deploy'), this.#folder, { recursive: true })
    // Like the guide: the file is copied, and its commands are run unchanged.
    const settings = readFileSync(join(this.#folder, '.env.example'), 'utf8')
    const commands = [...settings.matchAll(/^# {3}(.*)$/gm)].map(([, line = '']) => line.replace('sudo ', ''))
    execFileSync('bash', ['-euc', ['cp .env.example .env', ...commands].join('\n')], { cwd: this.#folder })
  }

  get folder(): string {
    return this.#folder
  }

  compose(...args: string[]): Promise<Ended> {
    return run(this.#program, ['--podman-path', this.#podman, '-f', this.#file, ...args], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env },
      timeout: 5 * 60_000,
    })
  }

  /** @throws Error with the logs of all containers when the command fails */
  async must(...args: string[]): Promise<string> {
    const { code, out, err } = await this.compose(...args)
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${out}${err}`)
    return out
  }

  async ready(url: string): Promise<void> {
    const startedMs = performance.now()
    while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
      if (performance.now() - startedMs > READY_MS) {
        const { out, err } = await this.compose('logs')
        throw new Error(`${url} is never ready:\n${(out + err).slice(-6_000)}`)
      }
      await pause(100)
    }
    say(`        ${url} is ready after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s.`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.compose('down', '-v', '-t', '1')
  }
}

/** Calls a server. @throws Error for any status but 2xx */
async function call<T>(url: string, headers: Record<string, string>, body?: unknown): Promise<T> {
  const answer = await fetch(url, {
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 1_000)}`)
  return JSON.parse(text) as T
}

/** The first owner, created as in the guide, and an API key of that organization. */
async function begin(server: Deployment, service: string, url: string, adminToken: string): Promise<string> {
  const made = await server.compose(
    'exec',
    '-T',
    service,
    'troupe',
    'create-owner',
    'you@example.com',
    '--organization',
    'acme',
  )
  check(
    `${service}: troupe create-owner prints a link`,
    /https:\/\/\S+\/reset-password\//.test(made.out),
    made.out + made.err,
  )
  const { secret } = await call<{ secret: string }>(
    `${url}/api/builder/v1/organizations/acme/api-keys`,
    { authorization: `Bearer ${adminToken}` },
    { name: 'test' },
  )
  const configurations = `${url}/api/builder/v1/organizations/acme/llm-configurations`
  const operator = { authorization: `Bearer ${adminToken}` }
  await call(configurations, operator, {
    name: 'Sandbox',
    slug: 'sandbox',
    providerId: 'sandbox',
    default: true,
    models: [MODEL],
  })
  await call(configurations, operator, {
    ...{ name: 'Kept', slug: 'kept', providerId: 'openai-compatible', models: [MODEL] },
    ...{ baseUrl: 'https://models.example.com/v1', credentials: { apiKey: `sk-is-in-the-backup-${HINT}` } },
  })
  return secret
}

/** The commands of the README, unchanged. @returns the id of the agent */
async function firstFiveMinutes(url: string, key: string): Promise<string> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, block = ''] = /## The first five minutes[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? []
  const commands = block
    .replace('http://localhost:3000', url)
    .replace('trp_your_key', key)
    .concat('\necho\necho "AGENT=$AGENT"\n')
  const { code, out, err } = await run('bash', ['-euc', commands])
  check("the README's first five minutes", code === 0 && /"sessionId":"/.test(out), out + err)
  return /AGENT=(\S+)/.exec(out)?.[1] ?? ''
}

async function one(programs: { compose: string; podman: string }): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await using server = new Deployment(programs, 'compose.yaml', { TROUPE_PORT: String(port) })
  await server.must('up', '-d', '--no-build')
  await server.ready(url)
  const token = (await server.must('exec', '-T', 'troupe', 'cat', '/data/admin.token')).trim()
  const key = await begin(server, 'troupe', url, token)
  const agentId = await firstFiveMinutes(url, key)
  await server.must('stop', 'troupe')
  await guideCommand(server, programs.podman, /^docker run .*tar czf/)
  await server.must('start', 'troupe')
  await server.ready(url)
  check('after stop and start it has the agent', await hasAgent(url, key, agentId))
  await server.must('restart', 'troupe')
  await server.ready(url)
  check('after restart it has the agent', await hasAgent(url, key, agentId))
  await server.must('down')
  await server.must('up', '-d', '--no-build')
  await server.ready(url)
  check('after down and up it has the agent', await hasAgent(url, key, agentId))

  await server.must('down')
  await guideCommand(server, programs.podman, /^docker volume rm/)
  await guideCommand(server, programs.podman, /^docker run .*tar xzpf/)
  await server.must('up', '-d', '--no-build')
  await server.ready(url)
  check('the restored volume has the agent', await hasAgent(url, key, agentId))
  const kept = await fetch(`${url}/api/builder/v1/organizations/acme/llm-configurations`, {
    headers: { authorization: `Bearer ${token}` },
  })
  check('the restored server decrypts the stored credential', (await kept.text()).includes(HINT))
}

/** A command of the guide, with podman for docker and the base for Debian, in the folder of the compose file. */
async function guideCommand(server: Deployment, podman: string, begin: RegExp): Promise<void> {
  const guide = readFileSync(join(ROOT, 'docs', 'guides', 'deploy.md'), 'utf8')
  const command = guide.split('\n').find((line) => begin.test(line)) ?? 'false'
  const { code, err } = await run(
    'bash',
    [
      '-euc',
      command
        .replace('docker run', `${podman} run --network host`)
        .replace('docker', podman)
        .replace('debian:bookworm-slim', BASE)
        .replace(/\d{4}-\d\d-\d\d/, '$(date +%F)'),
    ],
    { cwd: server.folder },
  )
  check(`of the guide: ${command}`, code === 0, err)
}

async function hasAgent(url: string, key: string, agentId: string): Promise<boolean> {
  return (await fetch(`${url}/api/v1/agents/${agentId}`, { headers: { 'x-api-key': key } })).status === 200
}

async function cluster(programs: { compose: string; podman: string }, images: StandIns): Promise<void> {
  const ports = [await freePort(), await freePort()]
  const [first = '', second = ''] = ports.map((port) => `http://127.0.0.1:${port}`)
  await using servers = new Deployment(programs, 'compose.cluster.yaml', {
    ...images,
    TROUPE_PORT: String(ports[0]),
    TROUPE_PORT_TWO: String(ports[1]),
  })
  await servers.must('up', '-d', '--no-build')
  await servers.ready(first)
  await servers.ready(second)
  const token = readFileSync(join(servers.folder, 'secrets', 'admin-token'), 'utf8').trim()
  const key = await begin(servers, 'one', first, token)
  const agentId = await firstFiveMinutes(first, key)
  check('the other server has the agent', await hasAgent(second, key, agentId))
  await usesTheBucket(first, second, key)

  const headers = { 'x-api-key': key }
  const jobs = await Promise.all(
    Array.from({ length: JOBS }, async (_, index) => {
      const message = `[[pace: 100]] number ${index} ${'word '.repeat(40)}`
      const at = index % 2 === 0 ? first : second
      return (await call<{ jobId: string }>(`${at}/api/v1/agents/${agentId}/run-async`, headers, { message }))
        .jobId
    }),
  )
  await pause(1_000)
  const killed = await run(programs.podman, ['kill', '-s', 'KILL', 'troupe-cluster_one_1'])
  check('one of two servers is killed during runs', killed.code === 0, killed.err)
  const killedMs = performance.now()
  const ends = await Promise.all(jobs.map((jobId) => jobEnd(second, key, jobId)))
  const lost = ends.filter((end) => end !== 'completed')
  check(`all ${JOBS} jobs end, none is lost`, lost.length === 0, lost.join('\n'))
  say(`        the last job ended ${((performance.now() - killedMs) / 1_000).toFixed(1)} s after the kill.`)
  await run(programs.podman, ['start', 'troupe-cluster_one_1'])
  await servers.ready(first)
  check('the killed server comes back with the agent', await hasAgent(first, key, agentId))
  await servers.must('down')
  await servers.must('up', '-d', '--no-build')
  await servers.ready(first)
  check('after down and up the cluster has the agent', await hasAgent(first, key, agentId))
}

async function jobEnd(url: string, key: string, jobId: string): Promise<string> {
  const startedMs = performance.now()
  for (;;) {
    const { status } = await call<{ status: string }>(`${url}/api/v1/jobs/${jobId}`, { 'x-api-key': key })
    if (status !== 'queued' && status !== 'running') return status
    if (performance.now() - startedMs > READY_MS) return `${jobId} is ${status} for ever`
    await pause(2_000)
  }
}

/** A document stored by one server is ingested by either, and found through both. */
async function usesTheBucket(first: string, second: string, key: string): Promise<void> {
  const headers = { 'x-api-key': key }
  const base = await call<{ knowledgeBaseId: string }>(`${first}/api/v1/knowledge-bases`, headers, {
    name: 'House',
  })
  const documents = `/api/v1/knowledge-bases/${base.knowledgeBaseId}/documents`
  const form = new FormData()
  form.set('file', new File(['The stage door is painted green.\n'], 'doors.txt', { type: 'text/plain' }))
  const added = await fetch(first + documents, { method: 'POST', headers, body: form })
  const answer = await added.text()
  let last = answer
  for (let attempt = 0; attempt < 100 && !/"status":"(?:ready|failed)"/.test(last); attempt += 1) {
    await pause(200)
    last = await (await fetch(second + documents, { headers })).text()
  }
  check(
    'a document goes through the S3 server',
    /"status":"ready"/.test(last),
    `${added.status} ${answer}\n${last}`,
  )
}

async function prepare(): Promise<{ podman: Podman; compose: string; images: StandIns }> {
  const missing = missingPrograms()
  if (missing.length > 0) throw new MachineError(`this machine lacks ${missing.join(', ')}.`)
  if (!existsSync('/usr/lib/cni/dnsname'))
    throw new MachineError(
      'containers find no names (Debian: golang-github-containernetworking-plugin-dnsname).',
    )
  const podman = await Podman.open()
  await buildBase(podman)
  const requirements = join(import.meta.dirname, 'stand-ins', 'requirements.txt')
  const compose = (await installPythonTools('podman-compose', requirements))('podman-compose')
  return { podman, compose, images: await buildStandIns(podman) }
}

async function main(): Promise<number> {
  const { podman, compose, images } = await prepare()
  using _podman = podman
  if (!process.argv.includes('--built')) await buildImage(podman)
  const program = join(folder, 'podman')
  mkdirSync(folder, { recursive: true })
  podman.writeProgram(program)
  const programs = { compose, podman: program }
  if (!process.argv.includes('--cluster')) await one(programs)
  await cluster(programs, images)
  return failures === 0 ? 0 : 1
}

process.exitCode = await main().catch((error: unknown) => {
  if (!(error instanceof MachineError || error instanceof ToolsMissingError)) throw error
  process.stderr.write(`\n!!! The compose files were NOT tested: ${error.message}\n\n`)
  return 2
})
