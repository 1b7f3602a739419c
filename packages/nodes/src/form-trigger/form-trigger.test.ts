import { FORM_FIELD_TYPES } from '@troupe/contract'
import { expect, test } from 'vitest'
import { findings } from '../testing/findings.ts'
import { formTrigger } from './definition.ts'
import { readForm } from './form.ts'

const field = (type: string, more: object = {}) => ({ name: 'a', label: 'A', type, ...more })
const form = (...fields: object[]) => ({ title: 'Form', fields })
const options = ['x', { value: 'y', label: 'Y' }]

test('a form with a field of each type is valid', () => {
  const fields = FORM_FIELD_TYPES.map((type) => ({ ...field(type), name: type, options }))
  expect(findings('form-trigger', form(...fields))).toEqual([])
})

test('every absent setting has its default', () => {
  const read = formTrigger.read(form(field('text')))
  expect(read).toEqual({
    ok: true,
    value: {
      title: 'Form',
      description: '',
      submitLabel: 'Submit',
      successMessage: 'Thank you. Your answer was received.',
      redirectUrl: null,
      auth: { mode: 'none', username: null },
      theme: { mode: 'auto', accent: null, radius: 8, logoUrl: null },
      botGuard: false,
      embedOrigins: [],
      fields: [
        {
          name: 'a',
          label: 'A',
          type: 'text',
          required: false,
          help: null,
          placeholder: null,
          defaultValue: null,
          prefill: false,
        },
      ],
      sample: null,
    },
  })
})

test('fields are completed by their type', () => {
  const types = ['text', 'textarea', 'file', 'number']
  const read = readForm(form(...types.map((type) => ({ ...field(type), name: type }))))
  expect(read.ok && read.value.fields).toMatchObject([
    { minLength: 0, maxLength: 10_000, pattern: null },
    { maxLength: 100_000 },
    { accept: '', multiple: false, maxFiles: 10 },
    { min: null, max: null, step: null },
  ])
})

test('a form that publishing would refuse is not read', () => {
  expect(readForm(form(field('dropdown')))).toEqual({
    ok: false,
    errors: [{ path: 'fields.0.options', message: 'is required' }],
  })
})

test('a name that no token can read is a warning, with which the form is still read', () => {
  const spaced = form({ ...field('text'), name: 'my name ' }, { ...field('text'), name: 'my name' })
  expect(findings('form-trigger', spaced)).toEqual([
    'warning: fields.0.name starts or ends with a space, so no token can read the answer',
  ])
  expect(readForm(spaced)).toMatchObject({ ok: true })
})

test("the names in a form's answers are those of its fields", () => {
  const named = form({ ...field('text'), name: 'mail' }, { ...field('file'), name: 'cv' }, { label: 'x' })
  expect(formTrigger.answers?.(named)).toEqual([
    { name: 'mail', required: false, isFile: false },
    { name: 'cv', required: false, isFile: true },
  ])
})

test.for<[Record<string, unknown>, string[]]>([
  [{}, ['title is required', 'fields is required']],
  [form(), ['fields must have at least 1 item']],
  [
    form(...Array.from({ length: 101 }, (_, n) => ({ ...field('text'), name: `f${n}` }))),
    ['fields must have at most 100 items'],
  ],
  [
    { ...form(field('text')), title: 'x'.repeat(201), botGuard: 1, redirectUrl: 'javascript:alert(1)' },
    [
      'title must have at most 200 characters',
      'redirectUrl must be an https address',
      'botGuard must be a boolean',
    ],
  ],
  [
    { ...form(field('text')), theme: { mode: 'blue', accent: 'red', radius: 25, logoUrl: 'x' } },
    [
      'theme.mode must be one of: light, dark, auto',
      'theme.accent must be a color such as #2f6fed',
      'theme.radius must be at most 24',
      'theme.logoUrl must be an https address',
    ],
  ],
  [form({ ...field('text'), name: '__proto__' }), ['fields.0.name must not be __proto__']],
  [{ ...form(field('text')), auth: { mode: 'basic' } }, ['auth.username is required when the mode is basic']],
  [{ ...form(field('text')), auth: { mode: 'basic', username: 'ann' } }, []],
  [
    { ...form(field('text')), auth: { mode: 'oauth' } },
    ['auth.mode must be one of: none, basic, service-login'],
  ],
  [
    {
      ...form(field('text')),
      embedOrigins: [
        ...['https://a.example', 'https://a.example/', '*', 'null', 'ftp://x'],
        ...['https://*', 'https://*.example', 'http://a.*'],
        ...['https://a.example;sandbox', "https://'self'", 'https://a.example,b', 'https://a.example\uff1bb'],
      ],
    },
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(
      (index) => `embedOrigins.${index} must be an origin such as https://example.com`,
    ),
  ],
  [
    {
      ...form(field('text')),
      redirectUrl: 'https://a:99999/',
      theme: { logoUrl: 'https://a.example;b/x.png' },
    },
    ['redirectUrl must be an https address', 'theme.logoUrl must be an https address'],
  ],
  [form(field('text'), field('text')), ['fields.1.name is used by another field']],
])('the form %j has the findings %j', ([config, expected]) => {
  expect(findings('form-trigger', config)).toEqual(expected)
})

test.for<[object, string[]]>([
  [{ ...field('text'), name: 'a.b' }, ['name must have 1 to 128 characters without . { }']],
  [{ ...field('text'), name: 'a{' }, ['name must have 1 to 128 characters without . { }']],
  [{ ...field('text'), label: '' }, ['label must not be empty']],
  [{ ...field('sound') }, [`type must be one of: ${FORM_FIELD_TYPES.join(', ')}`]],
  [field('text', { minLength: 5, maxLength: 2 }), ['maxLength must not be less than minLength']],
  [field('text', { maxLength: 0 }), ['maxLength must be at least 1']],
  [field('text', { pattern: '^[A-Z]{2}$' }), []],
  [
    field('textarea', { pattern: '(a' }),
    ['pattern is not a valid regular expression: missing closing ): `(a`'],
  ],
  [field('text', { prefill: true, defaultValue: 'x' }), []],
  [field('text', { defaultValue: 3 }), ['defaultValue must be a string']],
  [field('number', { min: 3, max: 1 }), ['max must not be less than min']],
  [field('number', { step: 0 }), ['step must be above 0']],
  [field('number', { min: '1' }), ['min must be a number or null']],
  [field('number', { defaultValue: '1.5' }), []],
  [field('number', { defaultValue: 'one' }), ['defaultValue must be a number']],
  [
    field('password', { defaultValue: 'x', prefill: true }),
    ['defaultValue must not be set for a password field', 'prefill must be off for a password field'],
  ],
  [field('file', { prefill: true }), ['prefill must be off for a file field']],
  [field('file', { accept: '.pdf, .docx' }), []],
  [field('file', { accept: 'pdf' }), ['accept must be extensions such as .pdf,.docx']],
  [field('file', { maxFiles: 0 }), ['maxFiles must be at least 1']],
  [field('date', { min: '2026-02-30' }), ['min must be a date such as 2026-01-31']],
  [field('date', { min: '2026-02-02', max: '2026-02-01' }), ['max must not be less than min']],
  [field('date', { defaultValue: '2024-02-29' }), []],
  [field('date', { defaultValue: 'today' }), ['defaultValue must be a date such as 2026-01-31']],
  [field('dropdown'), ['options is required']],
  [field('radio', { options: [] }), ['options must have at least 1 item']],
  [field('radio', { options: ['x', { value: 'x', label: 'again' }] }), ['options.1 is offered twice']],
  [
    field('dropdown', { options: [7, { value: 'x' }] }),
    ['options.1.label is required', 'options.0 must be a string or an object'],
  ],
  [field('dropdown', { options, defaultValue: 'y' }), []],
  [field('dropdown', { options, defaultValue: 'Y' }), ['defaultValue must be one of the options']],
  [field('checkboxes', { options, defaultValue: ['x', 'y'] }), []],
  [field('checkboxes', { options, defaultValue: 'x' }), ['defaultValue must be a list of options']],
  [field('checkboxes', { options, min: 3 }), ['min must be at most 2, the number of options']],
  [
    field('hidden', { defaultValue: 'x'.repeat(10_001) }),
    ['defaultValue must have at most 10000 characters'],
  ],
])('the field %j has the findings %j', ([given, expected]) => {
  const found = findings('form-trigger', form(given)).map((finding) => finding.replace(/^fields\.0\./, ''))
  expect(found.sort()).toEqual([...expected].sort())
})
