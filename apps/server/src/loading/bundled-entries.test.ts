import { existsSync, readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createHeavyWork, parseBounded } from '@troupe/heavy-work'
import { beforeAll, expect, test } from 'vitest'
import { bundleProgram } from './bundle-program.ts'
import { MANIFEST, ROOT } from './program-bundle.ts'

/** Files that run from their sources, with the reason. */
const FROM_SOURCES: Readonly<Record<string, string>> = {
  'packages/storage/src/sql/pglite/image-maker.ts':
    'only an installation and the first start of a version make an image',
  'packages/heavy-work/src/process/watchdog.ts': 'three modules, which a thread loads in milliseconds',
}

let folder: string
beforeAll(async () => {
  await bundleProgram()
  folder = JSON.parse(readFileSync(join(ROOT, MANIFEST), 'utf8')).folder
}, 120_000)

const inBundle = (path: string) => join(folder, path.replace(/\.ts$/, '.mjs'))

test('the bundle has every program that the server starts as a process or thread', async () => {
  const programs: string[] = []
  const sources = [
    ...(await Array.fromAsync(glob('packages/*/src/**/*.ts', { cwd: ROOT }))),
    ...(await Array.fromAsync(glob('apps/server/src/{wiring,routes,pages,boot}/**/*.ts', { cwd: ROOT }))),
  ]
  for (const path of sources) {
    if (/\.test\.ts$|\/testing\/|^packages\/(?:media-servers|test-kit)\//.test(path)) continue
    const text = readFileSync(join(ROOT, path), 'utf8')
    for (const [, name = ''] of text.matchAll(
      /new URL\(\s*['"`]([^'"`$]+)(?:\.ts|\$\{extname[^}]*\})['"`],\s*import\.meta\.url/g,
    )) {
      programs.push(relative(ROOT, join(ROOT, dirname(path), `${name}.ts`)))
    }
  }
  expect(programs).toEqual(expect.arrayContaining(Object.keys(FROM_SOURCES)))
  expect(programs.length).toBeGreaterThan(Object.keys(FROM_SOURCES).length + 3)
  const missing = programs.filter((path) => !(path in FROM_SOURCES) && !existsSync(inBundle(path)))
  expect(missing, 'add them to THREADS in bundle-program.ts').toEqual([])
})

test('the bundle resolves no package from its own folder, where packages of a single workspace are not found', async () => {
  const looks: string[] = []
  for await (const name of glob('**/*.mjs', { cwd: folder })) {
    if (/import\.meta\.(?!url\b)\w+/.test(readFileSync(join(folder, name), 'utf8'))) looks.push(name)
  }
  expect(looks).toEqual([])
})

const DESCRIPTION = 'Ten kilobytes are read by a process. '.repeat(300)
const OPENAPI = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1', description: DESCRIPTION },
  servers: [{ url: 'https://orders.example' }],
  paths: { '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'ok' } } } } },
})
const BUNDLE = `apiVersion: troupe/v1\n# ${DESCRIPTION}\norganizations:\n  - slug: acme\n    name: \${NAME}\n`

const N8N = JSON.stringify({
  name: 'Wait',
  meta: { instanceId: DESCRIPTION },
  nodes: [
    { name: 'Webhook', type: 'n8n-nodes-base.webhook', typeVersion: 2, position: [0, 0], parameters: {} },
  ],
  connections: {},
})

test.each<[string, 'openapi' | 'bundle' | 'import', { text: string }, object]>([
  [
    'packages/tools/src/openapi/openapi-process.ts',
    'openapi',
    { text: OPENAPI, ...{ address: null, allowed: null } },
    { ok: true, operations: [expect.objectContaining({ name: 'listOrders' })] },
  ],
  [
    'packages/bundles/src/read/bundle-process.ts',
    'bundle',
    { text: BUNDLE, ...{ variables: { NAME: 'Acme' } } },
    { organizations: [expect.objectContaining({ value: { slug: 'acme', name: 'Acme' } })], problems: [] },
  ],
  [
    'packages/bundles/src/foreign/import-process.ts',
    'import',
    { text: N8N },
    { ok: true, value: expect.objectContaining({ format: 'n8n', name: 'Wait' }) },
  ],
])('%s answers the same from the bundle and from its sources', async (path, kind, input, expected) => {
  const turn = { heavy: createHeavyWork(), owner: 'a' }
  const parse = () => expect.fail('the text is long enough for a process')
  const [bundled, source] = await Promise.all(
    [inBundle(path), join(ROOT, path)].map((file) =>
      parseBounded<{ text: string }, unknown>({ kind, parse, program: pathToFileURL(file) }, turn, input),
    ),
  )
  expect(bundled).toMatchObject(expected)
  expect(bundled).toEqual(source)
})
