import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { manifestAt, ROOT, workspaces } from './layering/sources.ts'

interface Locked {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  hasInstallScript?: boolean
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
const installed = Object.keys(lock.packages)

// `npm ci` refuses the same, but only on a clean clone and after a minute.

test.for([
  '',
  ...workspaces().map(({ folder }) => folder),
])('the lock file has the dependencies of "%s"', (folder) => {
  const { dependencies, devDependencies } = manifestAt(folder)
  const locked = lock.packages[folder]
  expect({ ...locked?.dependencies, ...locked?.devDependencies }).toEqual({
    ...dependencies,
    ...devDependencies,
  })
})

test('the lock file has every optional package, for every platform', () => {
  const missing = Object.values(lock.packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      (name) => !installed.some((path) => path.endsWith(`node_modules/${name}`)),
    ),
  )
  expect(missing).toEqual([])
})

test('versions are pinned exactly', () => {
  const loose = ['', ...workspaces().map(({ folder }) => folder)].flatMap((folder) => {
    const { dependencies, devDependencies } = manifestAt(folder)
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${folder}: ${name} ${version}`)
  })
  expect(loose).toEqual([])
})

// A second copy would be a second native runtime, whose objects the first one does not accept.
test.for(['@livekit/agents', '@livekit/rtc-node'])('there is one copy of %s', (name) => {
  expect(installed.filter((path) => path.endsWith(`node_modules/${name}`))).toEqual([`node_modules/${name}`])
})

test('`npm ci` on Node.js 20 prints nothing about the supported versions of dependencies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-install-'))
  using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
  const manifests = workspaces().map((workspace) => join(workspace.folder, 'package.json'))
  for (const path of ['package.json', 'package-lock.json', '.npmrc', ...manifests]) {
    cpSync(join(ROOT, path), join(folder, path))
  }
  const asNode20 = `Object.defineProperty(process, 'version', { value: 'v20.19.0' })`
  const { stdout, stderr } = await promisify(execFile)(
    'npm',
    ['ci', '--dry-run', '--offline', '--ignore-scripts'],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(asNode20)}`,
      },
    },
  )
  expect(stdout).toMatch(/added \d+ packages/)
  expect(stderr).toBe('')
}, 60_000)
