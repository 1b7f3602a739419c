import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

// What these tests refuse, `npm ci` refuses too, but only on a clean clone and after a minute.

test.for([
  '',
  ...workspaces().map(({ folder }) => folder),
])('the lock file knows what "%s" depends on', (folder) => {
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
