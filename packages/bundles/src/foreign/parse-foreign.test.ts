import { expect, test } from 'vitest'
import { MAX_FOREIGN_CHARACTERS, parseForeign } from './parse-foreign.ts'

// In a bundle, this would be a variable.
const VARIABLE = `\${HOME}`

test('JSON and YAML are plain values; syntax that a bundle would resolve is literal', () => {
  expect(parseForeign(`{"a": "${VARIABLE}", "id": -1001234567890123456789}`)).toEqual({
    ok: true,
    value: { a: VARIABLE, id: '-1001234567890123456789' },
  })
  expect(parseForeign(`a: "${VARIABLE}"\nid: 1001234567890123456789\nlist: [1, two]`)).toEqual({
    ok: true,
    value: { a: VARIABLE, id: '1001234567890123456789', list: [1, 'two'] },
  })
})

test('too large, too deep and non-data texts are refused with an error message', () => {
  const fault = (text: string) => {
    const parsed = parseForeign(text)
    return parsed.ok ? null : parsed.fault
  }
  expect(fault('x'.repeat(MAX_FOREIGN_CHARACTERS + 1))).toBe('The file has more than 4 MB.')
  expect(fault('['.repeat(100))).toBe('The file has more than 64 levels.')
  expect(fault(`[${'1,'.repeat(200_001)}1]`)).toBe('The file has more than 200000 values.')
  expect(fault(`a: ${'['.repeat(100)}${']'.repeat(100)}`)).toMatch(/nested/)
  expect(fault('a:\n'.repeat(400_001))).toBe('The file must not have more than 400000 lines.')
  expect(fault('a: [1')).toMatch(/^The file is not valid YAML: .*\(line 1\)\.$/)
  expect(fault('{"a": ')).toMatch(/^The file is not valid JSON: .*\(line 1\)\.$/)
  expect(fault('{"a": 1,\n "b" 2}')).toMatch(/^The file is not valid JSON/)
  expect(fault('a: 1\n---\nb: 2')).toMatch(/one document/)
})
