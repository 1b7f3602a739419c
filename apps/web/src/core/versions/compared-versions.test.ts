import { expect, test } from 'vitest'
import { comparedOf, comparedParam } from './compared-versions.ts'

const A = '11111111-1111-4111-8111-111111111111'
const B = '22222222-2222-4222-8222-222222222222'

test('two compared versions survive a round trip through the URL', () => {
  expect(comparedParam.read(comparedParam.write({ from: A, to: B }))).toEqual({ from: A, to: B })
  expect(comparedParam.read(comparedParam.write({ from: A, to: A }))).toEqual({ from: A, to: A })
  expect(comparedParam.read(comparedParam.write({ from: null, to: A }))).toEqual({ from: null, to: A })
})

test.for([
  null,
  '',
  'x',
  `${A}..`,
  `${A}..${B}..${A}`,
  '../..',
  `${A}..x`,
])('“%s” compares nothing', (text) => {
  expect(comparedParam.read(text)).toBeNull()
})

test('a version alone is compared to the one before it', () => {
  const listed = [{ versionId: 'v5' }, { versionId: 'v4' }]
  const compared = (to: string, before?: string) =>
    comparedOf({ from: null, to }, listed, before === undefined ? undefined : { versionId: before }, 'v5')
  expect(compared('v5')).toEqual({ from: 'v4', to: 'v5' })
  expect(compared('v4', 'v3')).toEqual({ from: 'v3', to: 'v4' })
  expect(compared('v4')).toEqual({ from: 'v4', to: 'v4' })
  expect(compared('v1', 'v3')).toEqual({ from: 'v1', to: 'v5' })
})

test('the same version that is chosen on both sides stays on both', () => {
  const listed = [{ versionId: 'v5' }, { versionId: 'v4' }]
  for (const id of ['v5', 'v4', 'v1']) {
    expect(comparedOf({ from: id, to: id }, listed, undefined, 'v5')).toEqual({ from: id, to: id })
  }
})
