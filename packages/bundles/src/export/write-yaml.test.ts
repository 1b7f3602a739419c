import { type BundleOrganization, leftOutOfBundle } from '@troupe/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseText } from '../read/parse-text.ts'
import { writeYaml } from './write-yaml.ts'

/** `c-printable` of YAML 1.2 without the characters that readers of YAML 1.1 treat as line breaks, or any reader as a byte order mark. */
const PRINTABLE =
  /^[\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u
const ODD = `${Array.from({ length: 33 }, (_, index) => String.fromCharCode(0x7f + index)).join('')}\u2028\u2029\ufeff\ufffe\uffff\v\x1b`

const written = (texts: unknown) =>
  writeYaml([{ slug: 'acme', name: 'Acme', texts } as BundleOrganization], new Map())
const readAgain = (yaml: string) => parseText(yaml, {})

test('characters that YAML does not allow unescaped are escaped, in values of every style and in keys', () => {
  const texts = {
    plain: 'x\x9dy',
    all: ODD,
    block: `First ${ODD}\n  second\n\nthird ${'word '.repeat(60)}\n`,
    long: `${'a'.repeat(300)}\x85${' b'.repeat(100)}`,
    backslash: '\\\x9d \\x9d "\'',
    fine: '\u00a0é😀',
    [`key ${ODD}`]: 1,
  }
  const yaml = written(texts)
  expect(yaml).toMatch(PRINTABLE)
  expect(yaml).toContain(String.raw`plain: "x\u009dy"`)
  expect(yaml).toContain('fine: \u00a0é😀')
  expect(readAgain(yaml)).toMatchObject({ problems: [], value: { organizations: [{ texts }] } })
})

test('a text is read back unchanged, including one of spaces, tabs and line breaks', () => {
  const part = fc.constantFrom(
    ' ',
    '\n',
    '\t',
    '\r',
    'a',
    'word word ',
    'long '.repeat(30),
    'x'.repeat(120),
    '#',
    ': ',
    '- ',
    '"',
    '\\',
    '\x9d',
    `\${`,
  )
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
      ),
      (texts) => {
        const yaml = written(texts)
        expect(yaml).toMatch(PRINTABLE)
        expect(readAgain(yaml)).toMatchObject({ problems: [], value: { organizations: [{ texts }] } })
      },
    ),
  )
})

test('lines of spaces are kept in long texts, which `yaml` would fold', () => {
  const long = 'x'.repeat(120)
  const texts = [
    `You want to receive the email. ${'word '.repeat(30)}\n \n\n## Test:\n- Link`,
    ` \nFirst\n \n## Profile:\n${long}`,
    `\r\n \n\\${long}\t#"`,
    ` ${'long '.repeat(30)} \n`,
    `${long}>\n \n   `,
  ]
  expect(readAgain(written(texts)).value).toMatchObject({ organizations: [{ texts }] })
})

test('the head names exactly the documents and skills whose contents are not in the bundle', () => {
  const organization = {
    slug: 'acme',
    name: 'Acme',
    knowledgeBases: [
      {
        slug: 'handbook',
        name: 'Handbook',
        documents: [{ name: 'a.pdf' }, { name: 'b.txt', text: 'x' }, { url: 'https://acme.test/c' }],
      },
    ],
    skills: [{ slug: 'long' }, { slug: 'short', files: { 'SKILL.md': 'x' } }],
  } as unknown as BundleOrganization
  const yaml = writeYaml([organization], new Map())
  expect(leftOutOfBundle(yaml)).toBe('document a.pdf of handbook, files of the skill long')
  expect(readAgain(yaml).problems).toEqual([])
  expect(leftOutOfBundle(written({}))).toBeNull()
  const many = Array.from({ length: 30 }, (_, at) => ({ name: `${at}.pdf` }))
  const base = { slug: 'b', name: 'B', documents: many }
  const large = writeYaml(
    [{ slug: 'acme', name: 'Acme', knowledgeBases: [base] } as unknown as BundleOrganization],
    new Map(),
  )
  expect(leftOutOfBundle(large)).toMatch(/, and 10 more$/)
})
