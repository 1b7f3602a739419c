import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PLACES } from './places.ts'

/** Read as text: the pages themselves are JSX, which the types of tests in Node do not know. */
const ROUTE_TABLE = join(import.meta.dirname, '..', '..', 'src', 'app', 'pages', 'pages.ts')

test('every page of the route table has a place on the walk', async () => {
  const table = await readFile(ROUTE_TABLE, 'utf8')
  const paths = Array.from(table.matchAll(/path: '([^']+)'/g), ([, path]) => path)
  expect(paths.length).toBe(table.match(/load: /g)?.length)
  expect(Object.keys(PLACES).sort()).toEqual(paths.sort())
})
