import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FILE = new URL('../docs/known-traps.md', import.meta.url)
const rows = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!Trap)/.test(line))
const TITLE_ENDS = [`',`, '`,', `'(`]
const textOf = (file: URL) => readFileSync(file, 'utf8')
const LINK = /\[([^\]]+)\]\((\.\.\/[^)\s]+\.test\.ts)\)/g

test('every known trap names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(40)
  const missing = rows.flatMap((row) => {
    const links = [...row.matchAll(LINK)]
    if (links.length === 0) return [row]
    return links
      .filter(([, name = '', path = '']) => {
        const file = new URL(path, FILE)
        // The whole title: a longer one that begins alike is another test.
        return !existsSync(file) || !TITLE_ENDS.some((end) => textOf(file).includes(`${name}${end}`))
      })
      .map(([link]) => link)
  })
  expect(missing).toEqual([])
})
