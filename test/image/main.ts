import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findChromium, startChromium } from '@troupe/test-kit/chromium'
import { freePort } from '@troupe/test-kit/free-port'
import { Container } from './container.ts'
import {
  buildBase,
  buildImage,
  IMAGE,
  MachineError,
  missingPrograms,
  mountTmpfs,
  Podman,
  probe,
  ROOT,
  run,
} from './podman.ts'

/**
 * Builds the container image of the server with a locally created base, and uses it like an operator. Exit code 2: this machine
 * cannot build or run containers, with the reason. `--base` only creates the base, for the next run.
 */

/** The user of the image. */
const USER = 65_532
/** Only this machine reaches the ports: the containers share its network. */
const LOCAL = { TROUPE_EXPOSURE: 'local' }
const LARGEST_MB = 300

let failures = 0
const say = (line: string) => process.stdout.write(`${line}\n`)

function check(what: string, isRight: boolean, details = ''): void {
  if (!isRight) failures += 1
  say(`${isRight ? 'ok    ' : 'FAILED'}  ${what}${isRight ? '' : `\n${details.slice(-3_000)}`}`)
}

const missing = missingPrograms()
if (missing.length > 0) notTested(`this machine lacks ${missing.join(', ')}.`)

const folder = mkdtempSync(join(tmpdir(), 'troupe-image-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
using podman = await prepare()
try {
  if (!process.argv.includes('--base')) await main()
} finally {
  await podman.podman(['image', 'prune', '-f'])
}
process.exitCode = failures === 0 ? 0 : 1

function notTested(reason: string): never {
  process.stderr.write(`The container image was not tested: ${reason}\n`)
  process.exit(2)
}

/** The part independent of the checkout. If it fails, the image is not tested. */
async function prepare(): Promise<Podman> {
  try {
    const opened = await Podman.open()
    await buildBase(opened)
    const path = join(folder, 'probe')
    mkdirSync(path)
    await probe(opened, path)
    return opened
  } catch (error) {
    if (error instanceof MachineError) notTested(error.message)
    throw error
  }
}

async function main(): Promise<void> {
  const startedMs = performance.now()
  await buildImage(podman)
  say(`The image was built in ${seconds(performance.now() - startedMs)}.`)
  await tellSize()
  await useIt()
  await useExposed()
  await refuse()
}

async function tellSize(): Promise<void> {
  const sizeOf = async (path: string) => {
    const args = ['run', '--rm', '--no-healthcheck', '--network', 'host']
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']
    const { out } = await podman.podman([...args, ...limits, '--entrypoint', 'du', IMAGE, '-sm', path])
    return Number(out.split('\t')[0])
  }
  const program = await sizeOf('/app')
  const { out } = await podman.podman(['image', 'inspect', '-f', '{{.Size}}', IMAGE])
  say(`Size: ${program} MB without the base, ${Math.round(Number(out) / 1e6)} MB with it.`)
  check(`the image has at most ${LARGEST_MB} MB beside its base`, program > 50 && program <= LARGEST_MB)
  const { out: found } = await podman.podman([
    ...['run', '--rm', '--no-healthcheck', '--network', 'host', '--ulimit', 'nofile=1024:1024'],
    ...['--ulimit', 'nproc=1024:1024', '--entrypoint', 'ls', IMAGE],
    ...['/app/node_modules', '/app/apps', '/app/apps/web'],
  ])
  const tools = /^(?:esbuild|vite|vitest|typescript|playwright-core|voice-worker|@livekit\/agents)$/m
  check('it has no build tool and no voice worker', found.includes('dist') && !tools.test(found), found)
}

/** An empty folder with this owner, as the volume of a container. */
function volume(name: string, owner = USER): readonly string[] {
  const path = join(folder, name)
  mkdirSync(path, { mode: 0o700 })
  chmodSync(folder, 0o755)
  chownSync(path, owner, owner)
  return ['-v', `${path}:/data`]
}

async function useIt(): Promise<void> {
  const data = volume('data')
  await using server = new Container(podman, 'one', await freePort())
  const readyMs = await server.start(data, LOCAL)
  say(`Ready ${seconds(readyMs)} after the first start.`)
  check('it says that it is healthy', (await server.exec('node', 'apps/server/src/ask-ready.ts')).code === 0)
  const logs = await announced(server)
  const key = /trp_\w{40,}/.exec(logs)?.[0] ?? ''
  // Its first step disappears as soon as an agent has answered.
  await journey(/http:\S+\/start\/\S+/.exec(logs)?.[0] ?? '')
  const agentId = await firstFiveMinutes(server, key)
  await pause(5_000)
  const status = readFileSync(`/proc/${await server.pid()}/status`, 'utf8')
  const [resident, most] = ['VmRSS', 'VmHWM'].map((name) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024),
  )
  say(`Memory after that: ${resident} MB, ${most} MB at most.`)

  await refusesASecond(server, data, { key, agentId })
  await drains(server, { key, agentId })
  const againMs = await server.startAgain()
  say(`Ready ${seconds(againMs)} after a later start.`)
  await server.kill('KILL')
  await server.ended()
  await server.startAgain()
  check('after kill -9 it starts on its volume and has the agent', await hasAgent(server, { key, agentId }))
}

/** The output of the container once the Playground exists. */
async function announced(server: Container): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const logs = await server.logs()
    if (logs.includes('works once')) return logs
    await pause(50)
  }
  return server.logs()
}

/** The commands of the README, unchanged. */
async function firstFiveMinutes({ url }: Container, key: string): Promise<string> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, block = ''] = /## The first five minutes[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme) ?? []
  const commands = block
    .replace('http://localhost:3000', url)
    .replace('trp_your_key', key)
    .concat('\necho\necho "AGENT=$AGENT"\n')
  const { code, out, err } = await run('bash', ['-euc', commands])
  const agentId = /AGENT=(\S+)/.exec(out)?.[1] ?? ''
  check("the README's first five minutes", code === 0 && /"sessionId":"/.test(out), commands + out + err)
  return agentId
}

/** From the printed link to an answer in the builder. */
async function journey(link: string): Promise<void> {
  const chromium = findChromium()
  if (chromium === null) {
    process.stderr.write('!!! There is no Chromium: the builder of the image was not opened.\n')
    return
  }
  const browser = await startChromium(chromium)
  try {
    const page = await browser.newPage()
    await page.goto(link)
    await page.getByRole('button', { name: 'Open the Playground' }).click()
    await page.getByRole('link', { name: 'Talk to an agent' }).click()
    await page.getByRole('button', { name: 'What can you do for me?' }).click()
    await page.getByRole('log', { name: 'Playground' }).getByRole('link', { name: 'Trace' }).waitFor()
    check('a journey through the builder in Chromium', true)
  } catch (error) {
    check('a journey through the builder in Chromium', false, String(error))
  } finally {
    await browser.close()
  }
}

interface Kept {
  key: string
  agentId: string
}

async function hasAgent({ url }: Container, { key, agentId }: Kept): Promise<boolean> {
  const answer = await fetch(`${url}/api/v1/agents/${agentId}`, { headers: { 'x-api-key': key } })
  return answer.status === 200
}

async function refusesASecond(server: Container, data: readonly string[], kept: Kept): Promise<void> {
  await using second = new Container(podman, 'two', await freePort())
  const { code, out, err } = await second.runToTheEnd(data, LOCAL)
  const said = out + err
  check(
    'a second container on the same volume is refused with a sentence',
    code === 1 && /is in use|is used by|uses/i.test(said) && !/\n\s+at /.test(said),
    said,
  )
  say(`        ${said.trim().split('\n').at(-1)}`)
  check('the first one has lost nothing', await hasAgent(server, kept))
}

/** SIGTERM while an answer streams: it is finished, and the exit code is 0. */
async function drains(server: Container, { key, agentId }: Kept): Promise<void> {
  const answer = await fetch(`${server.url}/api/v1/agents/${agentId}/run-stream`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ message: `[[pace: 60]] ${'word '.repeat(60)}` }),
  })
  let text = ''
  let isStopped = false
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString('utf8')
    if (isStopped || !text.includes('word')) continue
    isStopped = true
    await server.kill('TERM')
  }
  const code = await server.ended()
  const isWhole = isStopped && text.includes('RunCompleted')
  check('SIGTERM in a stream: the answer is finished', isWhole, text)
  check('and the exit code is 0', code === 0, `exit code ${code}\n${await server.logs()}`)
}

/** Reachable by others: no secrets are printed, and a command creates the first owner. */
async function useExposed(): Promise<void> {
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  const token = 'f3b09ad87c1e4625b9d08f1a2c3e4d57'
  writeFileSync(join(secrets, 'admin'), `${token}\n`)
  chownSync(join(secrets, 'admin'), USER, USER)
  await using server = new Container(podman, 'exposed', await freePort())
  await server.start([...volume('exposed'), '-v', `${secrets}:/run/secrets:ro`], {
    TROUPE_EXPOSURE: 'public',
    TROUPE_ADMIN_TOKEN_FILE: '/run/secrets/admin',
  })
  const owner = await server.exec('troupe', 'create-owner', 'ana@acme.test', '--organization', 'acme')
  const page = await fetch(owner.out.trim().replace(/^https?:\/\/[^/]+/, server.url)).catch(() => null)
  check('troupe create-owner prints a link that opens', owner.code === 0 && page?.status === 200, owner.err)
  const admin = await fetch(`${server.url}/api/builder/bundles`, {
    headers: { authorization: `Bearer ${token}` },
  })
  check('TROUPE_ADMIN_TOKEN_FILE is the admin token', admin.status === 200)
  const logs = await server.logs()
  check('nothing printed opens it', !/trp_\w{20}|\/start\/|assword: /.test(logs), logs)
}

/** Starts that must end with an error message for the operator. */
async function refuse(): Promise<void> {
  await using server = new Container(podman, 'refused', await freePort())
  const full = volume('full')
  const [, path = ''] = /^(.*):/.exec(full[1] ?? '') ?? []
  using _full = mountTmpfs(path, `size=4m,mode=700,uid=${USER},gid=${USER}`)
  const starts: [string, readonly string[], Record<string, string>, RegExp][] = [
    ['a volume of another user', volume('other', 1_000), {}, /may not write to the data folder \/data/],
    ['a read-only volume', [`${volume('ro').join(' ')}:ro`], {}, /\/data is on a read-only file system/],
    ['a full volume', full, {}, /disk .* is full/i],
    ['a wrong secret', volume('secret'), { TROUPE_SECRET_KEY: 'short' }, /TROUPE_SECRET_KEY cannot be used/],
    [
      'a cluster without a secret',
      volume('cluster'),
      {
        DATABASE_URL: 'postgres://127.0.0.1:1/troupe',
        REDIS_URL: 'redis://127.0.0.1:1',
        RESTATE_INGRESS_URL: 'http://127.0.0.1:1',
        RESTATE_ADMIN_URL: 'http://127.0.0.1:1',
      },
      /TROUPE_SECRET_KEY is not set.*openssl rand/,
    ],
  ]
  for (const [name, mount, env, sentence] of starts) {
    const given = mount.length === 1 ? (mount[0] ?? '').split(' ') : mount
    const { code, out, err } = await server.runToTheEnd(given, { ...LOCAL, ...env })
    const isSentence = code === 1 && sentence.test(out + err) && !/\n\s+at /.test(out + err)
    check(`${name}: a sentence`, isSentence, `exit code ${code}\n${out}${err}`)
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
