import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readVariables } from './variable-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'troupe-variables-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('a variable is its value, or the content of its file', () => {
  const source = { A: 'a', B_FILE: file('b', '\ufeff b with spaces\n\n'), D: 'other', C_FILE: '' }
  expect(readVariables(['A', 'B', 'C'], source)).toEqual({
    values: { A: 'a', B: 'b with spaces', C: undefined },
    problems: [],
  })
})

test.for([
  [{ A: 'a', A_FILE: file('both', 'b') }, 'A and A_FILE are both set. Remove one of the two.'],
  [
    { A_FILE: join(folder, 'none') },
    `A_FILE names ${join(folder, 'none')}, which cannot be used: there is no such file.`,
  ],
  [{ A_FILE: folder }, `A_FILE names ${folder}, which cannot be used: it is not a file.`],
  [{ A_FILE: file('empty', ' \n') }, 'it is empty.'],
  [{ A_FILE: file('large', 'x'.repeat(70_000)) }, 'it is larger than 64 KB.'],
] as const)('%j is a problem, and the variable has no value', ([source, sentence]) => {
  const { values, problems } = readVariables(['A'], source)
  expect(values).toEqual({ A: undefined })
  expect(problems).toEqual([expect.stringContaining(sentence)])
})
