import { describe, expect, test } from 'vitest'
import { type Form, readForm } from './form.ts'
import { readSubmission } from './submission.ts'

function formOf(...fields: object[]): Form {
  const read = readForm({ title: 'Form', fields })
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  return read.value
}

const field = (type: string, more: object = {}) => ({ name: 'a', label: 'A', type, ...more })

/** The accepted value of a single field, or the reason for a refusal. */
function told(config: object, given: unknown): unknown {
  const read = readSubmission(formOf(config), given === undefined ? {} : { a: given })
  if (!read.ok) return read.issues.map(({ field, message }) => `${field} ${message}`).join('; ')
  const [files] = read.files
  return files ? files.ids : (read.values.a ?? 'nothing')
}

const options = ['x', { value: 'y', label: 'Why' }]
const ID = '0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f50'
const OTHER = '0193b6c8-5d1e-7c3a-9f42-7b1d2c3e4f51'

test.for<[string, object, unknown, unknown]>([
  ['text', {}, 'Ana', 'Ana'],
  ['text', {}, '  ', '  '],
  ['text', {}, '', 'nothing'],
  ['text', {}, null, 'nothing'],
  ['text', {}, 7, 'a must be text'],
  ['text', {}, ['x'], 'a must be text'],
  ['text', {}, { text: 'x' }, 'a must be text'],
  ['text', { required: true }, undefined, 'a is required'],
  ['text', { required: true }, ' \t', 'a is required'],
  ['text', { minLength: 3 }, 'ab', 'a must have at least 3 characters'],
  ['text', { maxLength: 1 }, 'ab', 'a must have at most 1 character'],
  ['text', {}, 'x'.repeat(10_001), 'a must have at most 10000 characters'],
  ['text', { pattern: '[A-Z]{2}\\d+' }, 'AB12', 'AB12'],
  ['text', { pattern: '[A-Z]{2}\\d+' }, 'xAB12', 'a does not have the expected form'],
  ['text', { pattern: '(a+)+$' }, `${'a'.repeat(5_000)}b`, 'a does not have the expected form'],
  ['textarea', { maxLength: 3 }, 'a\r\nb', 'a\nb'],
  ['textarea', {}, 'x'.repeat(100_000), 'x'.repeat(100_000)],
  ['number', {}, 3.5, 3.5],
  ['number', {}, ' 3.50 ', 3.5],
  ['number', {}, '-1e3', -1000],
  ['number', {}, 0, 0],
  ['number', {}, '0x10', 'a must be a number such as 1234.5'],
  ['number', {}, '1,5', 1.5],
  ['number', {}, '1,500', 'a can be 1500 or 1.500: write it as 1234.5'],
  ['number', {}, ' ', 'nothing'],
  ['number', { required: true }, ' ', 'a is required'],
  ['number', {}, 'Infinity', 'a must be a number such as 1234.5'],
  ['number', {}, '1e999', 'a must be a finite number'],
  ['number', {}, true, 'a must be a number'],
  ['number', { min: 2 }, 1, 'a must be at least 2'],
  ['number', { max: 2 }, 3, 'a must be at most 2'],
  ['number', { step: 0.1 }, 0.3, 0.3],
  ['number', { step: 0.1 }, 0.35, 'a must be a multiple of 0.1'],
  ['number', { min: 1, step: 2 }, 4, 'a must be 1 plus a multiple of 2'],
  ['number', { min: 1, step: 2 }, '5', 5],
  ['email', {}, ' ana@acme.test ', 'ana@acme.test'],
  ['email', {}, 'ana@acme', 'a must be an e-mail address'],
  ['email', {}, '@acme.test', 'a must be an e-mail address'],
  ['email', {}, 'ana@b@acme.test', 'a must be an e-mail address'],
  ['email', {}, 'a na@acme.test', 'a must be an e-mail address'],
  ['email', {}, 'ana@acme..test', 'a must be an e-mail address'],
  ['email', {}, `${'a'.repeat(250)}@b.cd`, 'a must be an e-mail address'],
  ['password', {}, ' secret ', ' secret '],
  ['password', {}, 'x'.repeat(10_001), 'a must have at most 10000 characters'],
  ['date', {}, '2026-02-28', '2026-02-28'],
  ['date', {}, '2026-02-29', 'a must be a date such as 2026-01-31'],
  ['date', {}, '28.2.2026', 'a must be a date such as 2026-01-31'],
  ['date', { min: '2026-03-01' }, '2026-02-28', 'a must not be before 2026-03-01'],
  ['date', { max: '2026-01-01' }, '2026-02-28', 'a must not be after 2026-01-01'],
  ['dropdown', { options }, 'y', 'y'],
  ['dropdown', { options }, 'Why', 'a must be one of the options'],
  ['radio', { options }, ['x'], 'a must be one of the options'],
  ['radio', { options, required: true }, '', 'a is required'],
  ['checkboxes', { options }, ['y', 'x'], ['y', 'x']],
  ['checkboxes', { options }, 'x', ['x']],
  ['checkboxes', { options }, [], []],
  ['checkboxes', { options, required: true }, [], 'a is required'],
  ['checkboxes', { options }, ['x', 'z'], 'a must be a list of the options'],
  ['checkboxes', { options }, { x: true }, 'a must be a list of the options'],
  ['checkboxes', { options }, ['x', 'x'], 'a must not have an option twice'],
  ['checkboxes', { options, min: 2 }, ['x'], 'a must have at least 2 of the options'],
  ['checkboxes', { options, max: 1 }, ['x', 'y'], 'a must have at most 1 of the options'],
  ['file', {}, ID.toUpperCase(), [ID]],
  ['file', {}, [ID], 'a must be the id of an uploaded file'],
  [
    'file',
    {},
    { filename: 'x', contentType: 'text/plain', sizeBytes: 1, text: 'x' },
    'a must be the id of an uploaded file',
  ],
  ['file', {}, '../../etc/passwd', 'a must be the id of an uploaded file'],
  ['file', { multiple: true }, [ID, OTHER], [ID, OTHER]],
  ['file', { multiple: true }, ID, [ID]],
  ['file', { multiple: true }, [{ filepath: '/etc/passwd' }], 'a must be a list of ids of uploaded files'],
  ['file', { multiple: true }, [ID, ID.toUpperCase()], 'a must not have a file twice'],
  ['file', { multiple: true, maxFiles: 1 }, [ID, OTHER], 'a must have at most 1 file'],
  ['file', { required: true }, null, 'a is required'],
  ['hidden', {}, 'x', 'x'],
  ['hidden', { defaultValue: 'campaign' }, undefined, 'campaign'],
  ['hidden', { defaultValue: 'campaign', required: true }, '', 'campaign'],
  ['hidden', {}, 'x'.repeat(10_001), 'a must have at most 10000 characters'],
  ['hidden', {}, 7, 'a must be text'],
])('a %s field with %j reads %j as %j', ([type, more, given, expected]) => {
  expect(told(field(type, more), given)).toEqual(expected)
})

test('an absent field is bound by its name: a list is empty, any other null', () => {
  const form = formOf(
    ...(['text', 'number', 'date', 'hidden', 'file', 'checkboxes'] as const).map((type) => ({
      ...field(type, type === 'checkboxes' ? { options } : {}),
      name: type,
    })),
    { ...field('file', { multiple: true }), name: 'files' },
  )
  expect(readSubmission(form, {})).toEqual({
    ok: true,
    values: { text: null, number: null, date: null, hidden: null, file: null, checkboxes: [], files: [] },
    files: [],
  })
})

test('all failures are reported together, in the order of the form', () => {
  const form = formOf(
    field('number'),
    { ...field('email'), name: 'b' },
    { ...field('text'), name: 'c', required: true },
  )
  expect(readSubmission(form, { b: 'x', a: 'x' })).toEqual({
    ok: false,
    issues: [
      { field: 'a', message: 'must be a number such as 1234.5' },
      { field: 'b', message: 'must be an e-mail address' },
      { field: 'c', message: 'is required' },
    ],
  })
})

test('a default is the initial value on the page, not the value of an absent field', () => {
  expect(told(field('text', { defaultValue: 'Ana' }), undefined)).toBe('nothing')
})

describe('names', () => {
  test('keys that are not fields are dropped', () => {
    const read = readSubmission(formOf(field('text')), { a: 'x', isAdmin: true })
    expect(read).toEqual({ ok: true, values: { a: 'x' }, files: [] })
  })

  test('a field named like an inherited property of objects is a field like any other', () => {
    const names = ['constructor', 'valueOf', 'toString', 'first name', 'café']
    const form = formOf(...names.map((name) => ({ ...field('text'), name })))
    const left = { constructor: null, valueOf: null, toString: null, 'first name': null, café: null }
    expect(readSubmission(form, {})).toEqual({ ok: true, values: left, files: [] })
    const read = readSubmission(form, { constructor: 'x', toString: 'y' })
    expect(read.ok && Object.entries(read.values)).toEqual([
      ['constructor', 'x'],
      ['valueOf', null],
      ['toString', 'y'],
      ['first name', null],
      ['café', null],
    ])
    expect(Object.getPrototypeOf(read.ok && read.values)).toBe(Object.prototype)
  })
})

test.for<[string, string]>([
  ['number', '1'.repeat(900_000)],
  ['number', `${'1'.repeat(300)}x`],
  ['email', 'a@'.repeat(400_000)],
  ['email', `${'.a'.repeat(400_000)}@`],
  ['date', '2026-'.repeat(100_000)],
])('a field of type %s refuses a long text within a second', ([type, text]) => {
  const form = formOf(field(type))
  const started = process.threadCpuUsage()
  expect(readSubmission(form, { a: text })).toMatchObject({ ok: false })
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(1_000)
})
