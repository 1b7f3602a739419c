import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cycles } from './layering/cycles.ts'
import {
  FLOORS,
  floorOf,
  packageTables,
  SHARED_LIBRARIES,
  TABLES_BEGIN,
  TABLES_END,
} from './layering/floors.ts'
import { fileOf, importsOf, packageOf } from './layering/imports.ts'
import { exceptions, levelOf, lintConfig } from './layering/lint-config.ts'
import {
  manifestAt,
  ROOT,
  type Source,
  sourcesBelow,
  type Workspace,
  workspaces,
} from './layering/sources.ts'

// The direction of imports follows from each package.json: its floor and its dependencies. All rules here are derived from those
// and from the import statements.

const all = workspaces()
const loose = [...sourcesBelow('test'), ...sourcesBelow('examples')]
const everySource = [...all.flatMap((workspace) => workspace.sources), ...loose]
const config = lintConfig()
const root = manifestAt('')

const names = (dependencies: Record<string, string> | undefined) => Object.keys(dependencies ?? {})
const isWorkspace = (name: string) => name.startsWith('@troupe/')
const productOf = (workspace: Workspace) =>
  workspace.sources.filter((source) => !source.isTest && !source.isTool)
const testsOf = (workspace: Workspace) => workspace.sources.filter((source) => source.isTest || source.isTool)
const importsNode = (source: Source) =>
  importsOf(source).some(({ specifier }) => specifier.startsWith('node:'))
const packagesIn = (source: Source) =>
  importsOf(source).flatMap(({ specifier }) => packageOf(specifier) ?? [])

test('every workspace names its floor, its contents and where to start reading', () => {
  const wrong = all.filter(
    (workspace) =>
      floorOf(workspace) === -1 || !workspace.manifest.description || !workspace.manifest.troupe?.startAt,
  )
  expect(wrong.map(({ folder }) => folder)).toEqual([])
})

test('the tables of ARCHITECTURE.md match the package.json files: npm run generate:architecture', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const written = text.slice(text.indexOf(TABLES_BEGIN) + TABLES_BEGIN.length, text.indexOf(TABLES_END))
  expect(written.trim()).toBe(packageTables(all))
})

test('packages depend on each other in one direction', () => {
  const byName = new Map(all.map((workspace) => [workspace.manifest.name, workspace]))
  const dependencies = (workspace: Workspace) =>
    names(workspace.manifest.dependencies).flatMap((name) => byName.get(name) ?? [])
  const up = all.flatMap((workspace) =>
    dependencies(workspace)
      .filter((dependency) => floorOf(dependency) > floorOf(workspace))
      .map((dependency) => `${workspace.folder} depends on ${dependency.folder}, which is on a higher floor`),
  )
  expect(up).toEqual([])
  expect(
    cycles(new Map(all.map((one) => [one.folder, dependencies(one).map(({ folder }) => folder)]))),
  ).toEqual([])
})

test('each outside library has one home', () => {
  const product = all.filter(({ folder }) => folder !== 'bench')
  const homes = Map.groupBy(
    product.flatMap(({ folder, manifest }) =>
      names(manifest.dependencies)
        .filter((name) => !isWorkspace(name))
        .map((name) => ({ name, folder })),
    ),
    ({ name }) => name,
  )
  const shared = [...homes].filter(([, found]) => found.length > 1).map(([name]) => name)
  expect(shared.sort()).toEqual([...SHARED_LIBRARIES].sort())
})

describe.for(all)('$folder', (workspace) => {
  const { folder, manifest } = workspace
  const floor = FLOORS[floorOf(workspace)]

  test('depends on libraries of its floor only', () => {
    const libraries = names(manifest.dependencies).filter((name) => !isWorkspace(name))
    const wrong = floor?.libraries ? libraries.filter((name) => !floor.libraries?.includes(name)) : []
    expect(wrong).toEqual([])
  })

  test('imports only what its package.json names', () => {
    // Code for tests and measurements may also use the root's tools.
    const tools = /^(packages\/test-kit|bench)$/.test(folder) ? names(root.devDependencies) : []
    const allowed = [...names(manifest.dependencies), ...tools]
    const wrong = productOf(workspace).flatMap((source) =>
      packagesIn(source)
        .filter((name) => !allowed.includes(name))
        .map((name) => `${source.path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('tests import only what its package.json or the root names', () => {
    const allowed = [
      manifest.name,
      ...names(manifest.dependencies),
      ...names(manifest.devDependencies),
      ...names(root.devDependencies),
    ]
    const wrong = testsOf(workspace).flatMap((source) =>
      packagesIn(source)
        .filter((name) => !allowed.includes(name))
        .map((name) => `${source.path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('uses Node’s own modules only above the pure floor', () => {
    const wrong = floor?.name === 'pure' ? productOf(workspace).filter(importsNode) : []
    expect(wrong.map((source) => source.path)).toEqual([])
  })

  test('imports only the ports of runs in order to adapt something to them', () => {
    const adapts = floor?.name === 'adapters' || ['packages/nodes', 'packages/bundles'].includes(folder)
    const wrong = productOf(workspace).filter((source) =>
      importsOf(source).some(({ specifier }) => /^@troupe\/(agents|workflows)$/.test(specifier)),
    )
    if (adapts) expect(wrong.map((source) => source.path)).toEqual([])
  })

  test('keeps its relative imports inside', () => {
    const wrong = workspace.sources.flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(source.path), specifier))
        .filter((path) => !path.startsWith(`${folder}/`))
        .map((path) => `${source.path} imports ${path}`),
    )
    expect(wrong).toEqual([])
  })

  test('product code does not import tests', () => {
    const tests = new Set(workspace.sources.filter((source) => source.isTest).map((source) => source.path))
    const wrong = productOf(workspace).filter((source) =>
      importsOf(source).some(({ specifier }) => tests.has(fileOf(specifier, source, all) ?? '')),
    )
    expect(wrong.map((source) => source.path)).toEqual([])
  })
})

test('a package is imported by one of its exports, never by an internal path', () => {
  const wrong = everySource.flatMap((source) =>
    importsOf(source)
      .filter(({ specifier }) => isWorkspace(specifier) && fileOf(specifier, source, all) === null)
      .map(({ specifier }) => `${source.path} imports ${specifier}`),
  )
  expect(wrong).toEqual([])
})

test('operations do not depend on HTTP', () => {
  const wrong = all
    .filter((workspace) => FLOORS[floorOf(workspace)]?.name === 'operations')
    .flatMap(productOf)
    .filter((source) =>
      importsOf(source).some(({ specifier }) => /^(fastify|@fastify\/|node:https?2?$)/.test(specifier)),
    )
  expect(wrong.map((source) => source.path)).toEqual([])
})

test('code loaded by browsers imports no module of Node, directly or indirectly', () => {
  const byPath = new Map(everySource.map((source) => [source.path, source]))
  const entries = everySource.filter(
    ({ path, isTest }) => /^(apps\/web|packages\/client)\/src\//.test(path) && !isTest,
  )
  const loaded = new Set(entries)
  for (const source of loaded) {
    for (const { specifier } of importsOf(source)) {
      const target = byPath.get(fileOf(specifier, source, all) ?? '')
      if (target) loaded.add(target)
    }
  }
  expect([...loaded].filter(importsNode).map(({ path }) => path)).toEqual([])
  expect([...loaded].filter(({ path }) => path.startsWith('packages/nodes/')).length).toBeGreaterThan(10)
})

// The linter's own rule doubles the time of a complete check.
test('no file imports itself indirectly, not even for a type', () => {
  const graph = new Map(
    everySource.map((source) => [
      source.path,
      importsOf(source).flatMap(({ specifier }) => fileOf(specifier, source, all) ?? []),
    ]),
  )
  expect(cycles(graph)).toEqual([])
})

test('folders of a workspace import each other in one direction', () => {
  const found = all.flatMap((workspace) => {
    const graph = new Map<string, string[]>()
    for (const source of productOf(workspace)) {
      const folder = posix.dirname(source.path)
      const targets = importsOf(source)
        .flatMap(({ specifier }) => fileOf(specifier, source, all) ?? [])
        .filter((path) => path.startsWith(`${workspace.folder}/`))
        .map((path) => posix.dirname(path))
        .filter((target) => target !== folder)
      graph.set(folder, [...(graph.get(folder) ?? []), ...targets])
    }
    return cycles(graph)
  })
  expect(found).toEqual([])
})

test('the search for cycles finds one', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['d']],
  ])
  expect(cycles(graph)).toEqual([['a', 'b', 'c']])
})

test('the house rules are errors', () => {
  const rules = {
    performance: ['noBarrelFile', 'noReExportAll'],
    style: ['noDefaultExport', 'noNonNullAssertion', 'noProcessEnv', 'useExportType', 'useImportType'],
    suspicious: ['noExplicitAny'],
  }
  for (const [group, list] of Object.entries(rules)) {
    for (const rule of list) expect(levelOf(config, group, rule), rule).toBe('error')
  }
  expect(config.linter.enabled).toBe(true)
  expect(config.linter.rules.preset).toBe('recommended')
  expect(config.files.includes).toEqual(['**', '!**/migrations', '!package-lock.json'])
})

test('a house rule has exactly these exceptions', () => {
  const tests = ['**/*.test.ts', '**/testing/**', 'packages/*/test/**', 'apps/*/test/**']
  const entries = [
    'packages/*/src/index.ts',
    'packages/contract/src/*/index.ts',
    'packages/agents/src/ports/index.ts',
    'packages/workflows/src/ports/index.ts',
    'packages/test-kit/src/*/index.ts',
    'apps/*/src/index.ts',
  ]
  expect(exceptions(config)).toEqual({
    noBarrelFile: entries,
    noReExportAll: entries,
    noProcessEnv: [
      'apps/server/src/config/env.ts',
      'apps/voice-worker/src/config/env.ts',
      'apps/web/build.ts',
      'apps/web/ensure-built.js',
      'packages/media-servers/src/environment/media-environment.ts',
      ...tests,
      'packages/test-kit/**',
      'bench/**',
      'examples/**',
      'test/**',
    ],
    noNonNullAssertion: [...tests, 'packages/test-kit/**', 'bench/**'],
    noDefaultExport: [
      '*.config.ts',
      'packages/*/*.config.ts',
      'apps/*/*.config.ts',
      'apps/web/src/*.d.ts',
      // LiveKit's SDK takes the default export of a job's program.
      'apps/voice-worker/src/job/entry.ts',
    ],
  })
})

test('an index file is an entry that its package.json exports', () => {
  const exported = all.flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports ?? {}).map((target) => posix.join(folder, target)),
  )
  const wrong = everySource.filter(
    (source) => source.path.endsWith('/index.ts') && !exported.includes(source.path),
  )
  expect(wrong.map((source) => source.path)).toEqual([])
})

test('no comment disables a house rule or the type checker', () => {
  const rule = 'noRestrictedImports|noBarrelFile|noReExportAll|noProcessEnv|noDefaultExport|noExplicitAny'
  const forbidden = new RegExp(
    `(//|/\\*)\\s*(biome-ignore\\S*\\s.*(${rule})|biome-ignore-all|@ts-ignore|@ts-nocheck)`,
  )
  const wrong = everySource.filter((source) => source.text.split('\n').some((line) => forbidden.test(line)))
  expect(wrong.map((source) => source.path)).toEqual([])
})

test('the environment is read in one file of each program', () => {
  const free =
    /^(apps\/(server|voice-worker)\/src\/config\/env\.ts$|apps\/web\/build\.ts$|apps\/web\/src\/core\/snippets\/|apps\/server\/src\/routes\/docs\/code-examples\.ts$|packages\/media-servers\/src\/environment\/media-environment\.ts$|packages\/test-kit\/|bench\/|examples\/|test\/)/
  const wrong = everySource.filter(
    (source) =>
      !source.isTest &&
      !free.test(source.path) &&
      /\bprocess\.env\b|['"](node:)?process['"]/.test(source.text),
  )
  expect(wrong.map((source) => source.path)).toEqual([])
})

/** Started by a program of this repository with `spawn`, or by a library. Those that `serveInput` or the parser of documents serve kill themselves. */
const STARTED_BY_OTHERS = [
  'packages/storage/src/sql/pglite/image-maker.ts',
  'apps/web/build-in-child.ts',
  'apps/voice-worker/src/job/entry.ts',
]

test('a process exits in one way, without V8 teardown', () => {
  const home = 'packages/telemetry/src/end-process.ts'
  const wrong = everySource.filter(
    ({ path, text, isTest }) =>
      !isTest &&
      path !== home &&
      !/^(bench|examples|test)\//.test(path) &&
      /\bprocess\.(exit|reallyExit|abort|execve)\b|\b(exit|reallyExit|abort|execve)\b[^{}]*\}\s*=\s*process\b/.test(
        text,
      ),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
  expect(everySource.find(({ path }) => path === home)?.text).toContain('process.exit(')
})

test('every program skips the teardown of V8, however it ends', () => {
  const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const commands = [...Object.values(root.scripts ?? {}), textOf('deploy/Dockerfile')].join('\n')
  const named = [...commands.matchAll(/\b((?:apps|packages)\/[\w/-]+\.[jt]s)\b/g)].map(([path]) => path)
  const programs = [...new Set([...named, ...STARTED_BY_OTHERS])].map((path) => {
    // The entry points of the server load a program by its name.
    const [, name] = /loadProgram\('([\w/-]+)'\)/.exec(textOf(path)) ?? []
    return name === undefined ? path : `apps/server/src/${name}.ts`
  })
  expect(programs).toContain('apps/server/src/start.ts')
  expect(programs).toContain('apps/server/src/cli/command.ts')
  expect(programs.filter((path) => !/^ *endWithoutTeardown\(\)$/m.test(textOf(path)))).toEqual([])
})

test('the check runs every rule', () => {
  const check = root.scripts?.check ?? ''
  for (const part of ['lint', 'types', 'layering', 'unused']) expect(check).toContain(`run -s ${part}`)
  // `biome check` is format, imports and lint in one pass.
  expect(root.scripts?.lint).toBe('biome check --error-on-warnings .')
  expect(root.scripts?.layering).toBe(
    'vitest run --mode layering test/layering test/lock-file.test.ts test/text-budget.test.ts',
  )
})

test('no folder has a meaningless name', () => {
  const wrong = everySource.filter((source) =>
    /(^|\/)(utils?|helpers?|common|lib|shared|misc)\//.test(source.path),
  )
  expect(wrong.map((source) => source.path)).toEqual([])
})
