import { expect, test } from 'vitest'
import { isEditedFiles, mergedFiles, withFile } from './edited-files.ts'

const file = (text: string) => ({ text, version: '1' })

test('edits of files on two devices are one: each file is that of the device that changed it last, and of here if both did', () => {
  const former = { 'SKILL.md': file('A'), 'rules.md': file('A'), 'gone.md': file('A') }
  const local = { 'SKILL.md': file('Here'), 'rules.md': file('A'), 'new.md': file('Here') }
  const remote = { 'SKILL.md': file('There'), 'rules.md': file('There'), 'gone.md': file('A') }
  expect(mergedFiles(local, former, remote)).toEqual({
    'SKILL.md': file('Here'),
    'rules.md': file('There'),
    'new.md': file('Here'),
  })
  expect(mergedFiles({ 'SKILL.md': file('Here') }, {}, { 'rules.md': file('There') })).toEqual({
    'SKILL.md': file('Here'),
    'rules.md': file('There'),
  })
})

test('a file that is given up leaves the others', () => {
  const both = { 'SKILL.md': file('A'), 'rules.md': file('B') }
  expect(withFile(both, 'SKILL.md', null)).toEqual({ 'rules.md': file('B') })
  expect([both, 'text', { 'SKILL.md': 'text' }].map(isEditedFiles)).toEqual([true, false, false])
})
