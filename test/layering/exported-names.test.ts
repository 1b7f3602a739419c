import { expect, test } from 'vitest'
import { namesWithSeveralHomes } from './exported-names.ts'
import { workspaces } from './sources.ts'

/** Names that more than one file may export, each with its reason. */
const ALLOWED: Readonly<Record<string, string>> = {}

const product = workspaces()
  .filter(({ folder }) => folder !== 'bench')
  .flatMap(({ sources }) => sources)
  .filter((source) => !source.isTest && !source.isTool)

test('an exported name has one home in the whole repository', () => {
  const wrong = [...namesWithSeveralHomes(product)]
    .filter(([name]) => !Object.hasOwn(ALLOWED, name))
    .map(([name, files]) => `${name}: ${files.join(', ')}`)
  expect(wrong).toEqual([])
})

test('every exception is still needed', () => {
  const needed = namesWithSeveralHomes(product)
  expect(Object.keys(ALLOWED).filter((name) => !needed.has(name))).toEqual([])
})

test('a name that two files export is found, whatever kinds of exports they are', () => {
  const found = namesWithSeveralHomes([
    { path: 'packages/b/src/run.ts', text: 'export interface Run {}\nexport function start() {}\n' },
    { path: 'packages/a/src/run.ts', text: 'export const Run = 1\nexport async function stop() {}\n' },
    { path: 'packages/a/src/start.ts', text: 'export abstract class Stop {}\nfunction start() {}\n' },
  ])
  expect([...found]).toEqual([['Run', ['packages/a/src/run.ts', 'packages/b/src/run.ts']]])
})

test('a type and a value of one name in one file are one name', () => {
  const text = 'export const Page = Type.Object({})\nexport type Page = Static<typeof Page>\n'
  expect(namesWithSeveralHomes([{ path: 'page.ts', text }])).toEqual(new Map())
})
