/**
 * Builds the package as it is published: `dist/` with JavaScript and declarations of the client and of the contract
 * that it is derived from, and a `package.json` of its own. Publish with `npm publish packages/client/dist`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  [key: string]: unknown
}

const root = import.meta.dirname
const dist = join(root, 'dist')
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

rmSync(dist, { recursive: true, force: true })
const compiler = join(root, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
execFileSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })

// The contract travels inside the package, so its name becomes a path.
const contract = join(dist, 'contract', 'src', 'index.js')
for (const file of globSync('client/src/**/*.{js,d.ts}', { cwd: dist })) {
  const path = join(dist, file)
  const target = relative(dirname(path), contract).split(sep).join('/')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/(['"])@troupe\/contract\1/g, `'${target}'`))
}

const { private: _, scripts: __, devDependencies: ___, dependencies, ...manifest } = manifestOf(root)
const { '@troupe/contract': ____, ...outside } = dependencies
const published = {
  ...manifest,
  exports: { '.': { types: './client/src/index.d.ts', default: './client/src/index.js' } },
  types: './client/src/index.d.ts',
  files: ['client', 'contract', 'README.md', 'LICENSE'],
  dependencies: { ...manifestOf(join(root, '..', 'contract')).dependencies, ...outside },
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
cpSync(join(root, 'README.md'), join(dist, 'README.md'))
cpSync(join(root, '..', '..', 'LICENSE'), join(dist, 'LICENSE'))
