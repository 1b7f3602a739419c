import { expect, test } from 'vitest'
import {
  choiceParam,
  choicesParam,
  countParam,
  flagParam,
  optionalParam,
  readParams,
  textParam,
  wholeParam,
  writeParams,
} from './search-params.ts'

const PARAMS = {
  q: textParam,
  tab: choiceParam(['editor', 'versions'], 'editor'),
  status: choicesParam(['failed', 'running']),
  page: countParam,
  all: flagParam,
  node: optionalParam,
  version: wholeParam(0),
}

test('unknown and hostile values fall back', () => {
  const search = new URLSearchParams('tab=__proto__&status=failed,nonsense&page=-3&all=yes')
  expect(readParams(PARAMS, search)).toEqual({
    q: '',
    tab: 'editor',
    status: ['failed'],
    page: 1,
    all: false,
    node: null,
    version: 0,
  })
})

test('defaults are omitted from the address, and other parameters stay', () => {
  const search = new URLSearchParams('project=p1&page=4&q=old')
  expect(String(writeParams(PARAMS, search, { page: 1, q: 'new', tab: 'editor' }))).toBe('project=p1&q=new')
})

test('written parameters are read unchanged', () => {
  const values = {
    q: 'ö & =',
    tab: 'versions',
    status: ['failed', 'running'],
    page: 7,
    all: true,
    node: 'n1',
    version: 1,
  } as const
  expect(readParams(PARAMS, writeParams(PARAMS, new URLSearchParams(), values))).toEqual(values)
})
