import { expect, test } from 'vitest'
import { comparedParam } from './compared-versions.ts'

const A = '11111111-1111-4111-8111-111111111111'
const B = '22222222-2222-4222-8222-222222222222'

test('two versions are read as they were written', () => {
  expect(comparedParam.read(comparedParam.write({ from: A, to: B }))).toEqual({ from: A, to: B })
})

test.for([null, '', A, `${A}..`, `${A}..${B}..${A}`, '../..', `${A}..x`])('“%s” compares nothing', (text) => {
  expect(comparedParam.read(text)).toBeNull()
})
