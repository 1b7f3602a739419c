import { expect, test } from 'vitest'
import { fileSort } from './file-type.ts'

test.for([
  ['image/png', 'image'],
  ['audio/mp4', 'audio'],
  ['text/csv', 'table'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'table'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'text'],
  ['application/pdf', 'text'],
  ['application/zip', 'archive'],
  ['', 'other'],
] as const)('a file of the type “%s” is shown as %s', ([type, sort]) => {
  expect(fileSort(type)).toBe(sort)
})
