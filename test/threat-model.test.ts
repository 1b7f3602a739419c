import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const FILE = new URL('../docs/security/threat-model.md', import.meta.url)
const text = readFileSync(FILE, 'utf8')
const LINK = /\]\(([^)\s]+)\)/g

/** The rows of the tables whose last column is `Tests`, without their heads. */
const rows = text.split(/\n\n/).flatMap((block) => {
  const [head = '', , ...rest] = block.split('\n').filter((line) => line.startsWith('|'))
  return head.endsWith('| Tests |') ? rest : []
})

describe('the threat model', () => {
  test('links to existing files', () => {
    const links = [...text.matchAll(LINK)].map(([, path = '']) => path)
    expect(links.length).toBeGreaterThan(100)
    expect(links.filter((path) => !existsSync(new URL(path, FILE)))).toEqual([])
  })

  test('names a test in every row of inputs', () => {
    expect(rows.length).toBeGreaterThan(60)
    expect(rows.filter((row) => !/\]\([^)]+\.test\.ts\)/.test(row))).toEqual([])
  })

  test('is where SECURITY.md says', () => {
    expect(readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8')).toContain(
      '(docs/security/threat-model.md)',
    )
  })
})
