import { expect, test } from 'vitest'
import { fileOf, importsOf, packageOf } from './imports.ts'
import { workspaces } from './sources.ts'

const all = workspaces()
const web = all.find(({ folder }) => folder === 'apps/web')
const product = web?.sources.filter(({ path, isTest }) => path.startsWith('apps/web/src/') && !isTest) ?? []

interface Folder {
  /** The other folders that it may import. */
  folders: readonly string[]
  /** The packages that it may import, outside ones and our own. */
  packages: readonly string[]
}

const DATA = [
  '@troupe/contract',
  '@troupe/contract/builder',
  '@troupe/editor',
  '@troupe/graph',
  '@troupe/nodes',
  '@troupe/json-schema',
]

/** The imports allowed for each folder of the app, besides itself. `app` wires them together, and may import everything. */
const FOLDERS: Readonly<Record<string, Folder>> = {
  // Pure: without React and DOM, tested in Node.
  core: { folders: [], packages: DATA },
  infrastructure: {
    folders: ['core'],
    packages: [
      ...DATA,
      '@troupe/client',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/router-core',
      'idb-keyval',
      'react',
    ],
  },
  // Controls without a server: values in, callbacks out.
  atoms: {
    folders: ['core'],
    packages: [
      '@troupe/contract',
      '@codemirror/autocomplete',
      '@codemirror/commands',
      '@codemirror/lang-json',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/state',
      '@codemirror/view',
      '@fontsource-variable/geist-mono',
      '@fontsource-variable/inter',
      '@lezer/highlight',
      '@tanstack/react-virtual',
      'diff',
      'lucide-react',
      'markdown-it',
      'react',
      'react-aria-components',
    ],
  },
  // Pages are composed of atoms and parts; a missing control belongs to atoms.
  parts: {
    folders: ['core', 'infrastructure', 'atoms'],
    packages: [...DATA, '@troupe/client', 'lucide-react', 'react'],
  },
  features: {
    folders: ['core', 'infrastructure', 'atoms', 'parts'],
    packages: [...DATA, '@troupe/client', 'lucide-react', 'react'],
  },
}
const folderOf = (path: string) => path.split('/')[3] ?? ''
const featureOf = (path: string) => (folderOf(path) === 'features' ? path.split('/')[4] : undefined)

const edges = product.flatMap((source) =>
  importsOf(source)
    .flatMap(({ specifier }) => fileOf(specifier, source, all) ?? [])
    .filter((target) => target.startsWith('apps/web/src/'))
    .map((target) => ({ from: source.path, target })),
)

test('the folders of the web app import in one direction', () => {
  const wrong = edges
    .filter(({ from, target }) => folderOf(from) !== folderOf(target))
    .filter(({ from, target }) => !(FOLDERS[folderOf(from)]?.folders.includes(folderOf(target)) ?? true))
    .map(({ from, target }) => `${from} imports ${target}`)
  expect(wrong).toEqual([])
  expect(edges.length).toBeGreaterThan(50)
})

test('the folders of the web app import packages for their purpose only', () => {
  const wrong = product.flatMap((source) => {
    const allowed = FOLDERS[folderOf(source.path)]?.packages
    return importsOf(source)
      .flatMap(({ specifier }) => packageOf(specifier) ?? [])
      .filter((name) => allowed && !allowed.includes(name))
      .map((name) => `${source.path} imports ${name}`)
  })
  expect(wrong).toEqual([])
})

test('the pages import definitions of node types, never their execution', () => {
  const wrong = all
    .find(({ folder }) => folder === 'packages/nodes')
    ?.sources.filter(
      ({ path, isTest }) => /\/(definition\/.*|definitions|definition)\.ts$/.test(path) && !isTest,
    )
    .flatMap((source) =>
      importsOf(source)
        .filter(({ specifier }) => /(^|\/)(execution|execute|handlers)\b|^@troupe\/workflows/.test(specifier))
        .map(({ specifier }) => `${source.path} imports ${specifier}`),
    )
  expect(wrong).toEqual([])
})

test('features of the web app never import each other', () => {
  const wrong = edges
    .filter(
      ({ from, target }) => featureOf(from) && featureOf(target) && featureOf(from) !== featureOf(target),
    )
    .map(({ from, target }) => `${from} imports ${target}`)
  expect(wrong).toEqual([])
})

test('no foreign content is executed: no markup or code from texts', () => {
  const wrong = product.filter(({ text }) =>
    /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|\beval\(|new Function\b/.test(text),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})
