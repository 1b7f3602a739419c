import { expect, test } from 'vitest'
import { fileOf, importsOf } from './imports.ts'
import { workspaces } from './sources.ts'

const all = workspaces()
const web = all.find(({ folder }) => folder === 'apps/web')
const product = web?.sources.filter(({ path, isTest }) => path.startsWith('apps/web/src/') && !isTest) ?? []

/** What each folder of the app may import, besides itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  infrastructure: ['core'],
  atoms: ['core'],
  parts: ['core', 'infrastructure', 'atoms'],
  features: ['core', 'infrastructure', 'atoms', 'parts'],
  app: ['core', 'infrastructure', 'atoms', 'parts', 'features'],
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
    .filter(({ from, target }) => !ALLOWED[folderOf(from)]?.includes(folderOf(target)))
    .map(({ from, target }) => `${from} imports ${target}`)
  expect(wrong).toEqual([])
  expect(edges.length).toBeGreaterThan(50)
})

test('features of the web app never import each other', () => {
  const wrong = edges
    .filter(
      ({ from, target }) => featureOf(from) && featureOf(target) && featureOf(from) !== featureOf(target),
    )
    .map(({ from, target }) => `${from} imports ${target}`)
  expect(wrong).toEqual([])
})

test('nothing foreign is ever executed: no markup from texts, no code from texts', () => {
  const wrong = product.filter(({ text }) =>
    /dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML|\beval\(|new Function\b/.test(text),
  )
  expect(wrong.map(({ path }) => path)).toEqual([])
})
