import { expect, test } from 'vitest'
import { keepHighlighted } from './keep-highlighted.ts'

const option = (id: string, label = id) => ({ id, label })

test('the highlighted option stays although an answer that came between two keys lacks it', () => {
  const highlighted = option('b')
  expect(keepHighlighted([option('c'), option('d')], highlighted).map(({ id }) => id)).toEqual([
    'b',
    'c',
    'd',
  ])
  expect(keepHighlighted([], highlighted)).toEqual([highlighted])
})

test('options with the highlighted one keep their order, and show the data of the response', () => {
  const options = [option('a'), option('b', 'renamed')]
  expect(keepHighlighted(options, option('b'))).toBe(options)
  expect(keepHighlighted(options, null)).toBe(options)
})
