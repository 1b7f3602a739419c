import { expect, test } from 'vitest'
import { nextFiles } from './next-files.ts'

const files = [{ path: 'SKILL.md' }, { path: 'eu.md' }]

test('a changed file takes the place of the stored one, and the others stay', async () => {
  expect(await nextFiles(files, { 'eu.md': 'Mine' }, async (path) => `stored ${path}`)).toEqual({
    'SKILL.md': 'stored SKILL.md',
    'eu.md': 'Mine',
  })
})

test('an edit of a file that a colleague has removed is kept', async () => {
  expect(await nextFiles(files, { 'notes.md': 'Mine' }, async (path) => `stored ${path}`)).toEqual({
    'SKILL.md': 'stored SKILL.md',
    'eu.md': 'stored eu.md',
    'notes.md': 'Mine',
  })
})
