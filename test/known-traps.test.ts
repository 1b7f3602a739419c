import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FILE = new URL('../docs/known-traps.md', import.meta.url)
const text = readFileSync(FILE, 'utf8')
const rows = text.split('\n').filter((line) => /^\| (?!Trap)/.test(line))
const LINK = /\[([^\]]+)\]\((\.\.\/[^)\s]+\.test\.ts)\)/g

test('every known trap names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(40)
  const missing = rows.flatMap((row) => {
    const links = [...row.matchAll(LINK)]
    if (links.length === 0) return [row]
    return links
      .filter(([, name = '', path = '']) => {
        const file = new URL(path, FILE)
        return !existsSync(file) || !readFileSync(file, 'utf8').includes(name)
      })
      .map(([link]) => link)
  })
  expect(missing).toEqual([])
})
