import { expect, test } from 'vitest'
import { namesWithSeveralHomes } from './exported-names.ts'
import { workspaces } from './sources.ts'

const byWorkspace = workspaces()
  .filter(({ folder }) => folder !== 'bench')
  .map(({ folder, sources }): [string, typeof sources] => [
    folder,
    sources.filter((source) => !source.isTest && !source.isTool),
  ])

test.for(byWorkspace)('an exported name has one home in %s', ([, sources]) => {
  const wrong = [...namesWithSeveralHomes(sources)].map(([name, files]) => `${name}: ${files.join(', ')}`)
  expect(wrong).toEqual([])
})

test('a name exported by two files is found, for every kind of export', () => {
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
