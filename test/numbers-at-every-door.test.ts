import { describe, expect, test } from 'vitest'
import { readArguments } from '../packages/agents/src/tools/read-arguments.ts'
import { parseText } from '../packages/bundles/src/read/parse-text.ts'
import { DomainError } from '../packages/contract/src/errors/domain-error.ts'
import { MAX_BODY_BYTES, parseJsonBody } from '../packages/contract/src/validation/json-body.ts'
import { judge } from '../packages/json-schema/src/comparison/judge.ts'
import { readAnswer } from '../packages/json-schema/src/schema/json-answer.ts'
import { readField } from '../packages/nodes/src/form-trigger/field-readers.ts'
import { resultOf } from '../packages/nodes/src/testing/execute-node.ts'
import { readMessages } from '../packages/tools/src/mcp/client/read-messages.ts'
import { resultOutcome } from '../packages/tools/src/mcp/result-outcome.ts'

/** Ids and amounts of other systems: int64 in JSON, and decimals of databases. */
const CHANGED = [
  '8202522731445525542',
  '-9007199254740993',
  '12345678901234567.89',
  '0.1234567890123456789',
  '1e400',
]
const KEPT = [
  '0',
  '-0.5',
  '1e3',
  '1.0',
  '0.1',
  '0.30000000000000004',
  '9007199254740991',
  '19.989999999999998',
  '3.3333333333333333',
]

/** Each entry point where JSON or YAML becomes values, and how it preserves the digits. */
const DOORS: Readonly<
  Record<
    string,
    {
      keeps: 'refuses' | 'rounds decimals' | 'text'
      read(literal: string): { value?: unknown; refusal?: string }
    }
  >
> = {
  'a body of the API': { keeps: 'refuses', read: (literal) => body(`{"input":{"id":${literal}}}`, 'refuse') },
  'a webhook': { keeps: 'text', read: (literal) => body(`{"input":{"id":${literal}}}`, 'text') },
  'arguments of a tool': {
    keeps: 'rounds decimals',
    read: (literal) => {
      const read = readArguments(`{"input":{"id":${literal}}}`)
      return read.ok ? { value: idOf(read.input) } : { refusal: read.problem }
    },
  },
  'an answer of a model in JSON': {
    keeps: 'rounds decimals',
    read: (literal) => {
      const read = readAnswer(`{"input":{"id":${literal}}}`, { type: 'object' })
      return read.ok ? { value: idOf(read.value) } : { refusal: read.problem }
    },
  },
  'a result of an MCP server': {
    keeps: 'text',
    read: (literal) => {
      const text = `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"input":{"id":${literal}}}}}`
      const read = readMessages(text, 'tools/call')
      const [message] = read.ok ? read.messages : []
      const outcome = resultOutcome(message?.kind === 'result' && message.result, (shown) => shown)
      return { value: outcome.ok ? idOf(JSON.parse(outcome.text)) : undefined }
    },
  },
  'a bundle': {
    keeps: 'refuses',
    read: (literal) => {
      const { value, problems } = parseText(`input:\n  id: ${literal}\n`, null)
      const [problem] = problems
      return problem ? { refusal: `${problem.path} ${problem.message}` } : { value: idOf(value) }
    },
  },
}

function body(text: string, longNumbers: 'refuse' | 'text') {
  try {
    return { value: idOf(parseJsonBody(Buffer.from(text), MAX_BODY_BYTES, longNumbers)) }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { refusal: error.errors?.map(({ path, message }) => `${path} ${message}`).join() ?? '' }
  }
}

const idOf = (value: unknown) => (value as { input: { id: unknown } }).input.id

describe.each(Object.entries(DOORS))('%s', (_name, { keeps, read }) => {
  const isWritten = (literal: string) => keeps === 'rounds decimals' && literal.startsWith('0.')
  test.each(
    CHANGED.filter((literal) => !isWritten(literal)),
  )(`${keeps === 'text' ? 'keeps the digits of' : 'refuses'} %s`, (literal) => {
    const { value, refusal } = read(literal)
    if (keeps === 'text') expect(value).toBe(literal)
    else expect(refusal).toMatch(/input\.id\W.*(would change from|must be a finite number)/)
  })

  test.each([...KEPT, ...CHANGED.filter(isWritten)])('accepts %s as a number', (literal) => {
    expect(read(literal)).toEqual({ value: Number(literal) })
  })
})

const LONG_MAX = '9223372036854775807'

test.each([
  `{"config":{"tools":[{"document":{"a":{"default":${LONG_MAX}}}}]}}`,
  `{"config":{"tools":[{"input_schema":{"properties":{"id":{"maximum":${LONG_MAX},"examples":[${LONG_MAX}]}}}}]}}`,
  `{"config":{"execution":{"output":{"schema":{"minimum":-${LONG_MAX}}}}}}`,
  `{"tool":{"document":{"maximum":${LONG_MAX}}}}`,
  `{"draft":{"nodes":[{"config":{"outputSchema":{"maximum":${LONG_MAX}}}}]}}`,
])('limits in schemas and documents are accepted, in a body and in a bundle: %s', (text) => {
  expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text))
  expect(parseText(text, null)).toMatchObject({ value: JSON.parse(text), problems: [] })
})

test.each([
  `{"config":{"tools":[{"input_schema":{"properties":{"id":{"enum":[${LONG_MAX}]}}}}]}}`,
  `{"input":{"document":{"maximum":${LONG_MAX}}}}`,
  `{"input":{"tools":[{"document":{"id":${LONG_MAX}}}]}}`,
  `{"config":{"tools":[{"body":{"id":${LONG_MAX}}}]}}`,
])('other numbers beside them are refused: %s', (text) => {
  expect(() => parseJsonBody(Buffer.from(text))).toThrow(DomainError)
})

test.each([
  ['9007199254740993', 'gt', '9007199254740992', true],
  ['9007199254740992', 'lt', '9007199254740993', true],
  ['9007199254740993', 'lte', '9007199254740992', false],
  ['0.1', 'lt', '0.10000000000000001', true],
  [0.1, 'lt', '0.10000000000000001', true],
  [0.1, 'eq', '0.10', true],
  [9007199254740992, 'eq', '9007199254740993', false],
  ['8202522731445525542', 'eq', 8202522731445526000, false],
  ['8202522731445525542', 'neq', 8202522731445526000, true],
  [[9007199254740992], 'contains', '9007199254740993', false],
  ['-1e400', 'lt', '-1e399', true],
  ['2026-03-01T10:00:00.0001Z', 'lt', '2026-03-01T10:00:00.0002Z', true],
  ['2026-03-01T10:00:00.123456789Z', 'lt', '2026-03-01T10:00:00.123456790Z', true],
  ['2026-03-01T12:00:00.5+02:00', 'gte', '2026-03-01T10:00:00.500000001Z', false],
  ['2026-03-01T10:00:00.100Z', 'lte', '2026-03-01T10:00:00.1Z', true],
  ['1969-12-31T23:59:59.9Z', 'lt', '1970-01-01', true],
] as const)('%j %s %j is %s', (left, op, right, holds) => {
  expect(judge(op, left, right)).toEqual({ ok: true, holds })
})

test('a form refuses a number whose digits it cannot preserve', () => {
  const field = { type: 'number', name: 'id', required: true, min: null, max: null, step: null }
  expect(readField(field as never, '8202522731445525542')).toMatchObject({
    kind: 'fault',
    message: expect.stringContaining('would change from 8202522731445525542'),
  })
})

test('a number field of a review never proposes a changed number', async () => {
  const config = {
    title: 'T',
    fields: [{ name: 'id', label: 'Id', type: 'number', value: '{{ trigger.id }}' }],
  }
  expect(await resultOf('human-review', config, { trigger: { id: '8202522731445525542' } })).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('fields.0.value would change from 8202522731445525542'),
  })
})

test('a variable counts only within the exact range of numbers', async () => {
  const config = { rows: [{ name: 'n', op: 'increment', value: 1 }] }
  const counted = (n: number) => resultOf('variable', config, { variables: { n } })
  expect(await counted(Number.MAX_SAFE_INTEGER - 1)).toMatchObject({ status: 'completed' })
  expect(await counted(Number.MAX_SAFE_INTEGER)).toMatchObject({
    status: 'failed',
    message: 'row "n": the number is too large',
  })
  const byNull = { rows: [{ name: 'n', op: 'increment', value: '{{ trigger.z }}' }] }
  expect(await resultOf('variable', byNull, { trigger: { z: null }, variables: { n: 1 } })).toMatchObject({
    status: 'failed',
    message: 'row "n": increment needs a number, got null',
  })
})
