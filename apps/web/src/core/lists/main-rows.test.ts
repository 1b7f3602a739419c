import { expect, test } from 'vitest'
import { moveAlongMain, offerRows } from './main-rows.ts'

test('keys of the page move along its first list, and along the next one when the first is gone', () => {
  const moves: string[] = []
  const leaveMain = offerRows((step) => moves.push(`main ${step}`))
  const leaveOther = offerRows((step) => moves.push(`other ${step}`))
  moveAlongMain(1)
  leaveMain()
  moveAlongMain(-1)
  leaveOther()
  moveAlongMain(1)
  expect(moves).toEqual(['main 1', 'other -1'])
})
