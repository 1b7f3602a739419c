import { expect, test } from 'vitest'
import { readSkill, type SkillFile } from './read-skill.ts'

const file = (path: string, text: string | null = ''): SkillFile => ({
  path,
  text,
  sizeBytes: text?.length ?? 1,
  contentHash: '',
})
const skillMd = (...lines: string[]) => ['---', ...lines, '---', '', '# How', ''].join('\n')
const REFUNDS = ['name: refunds', 'description: Refunds an order.']
const read = (...lines: string[]) => readSkill([file('SKILL.md', skillMd(...lines))])
const problems = (result: ReturnType<typeof readSkill>) =>
  result.ok ? [] : result.problems.map(({ file: name, line, message }) => `${name}:${line} ${message}`)

test('a skill at the root equals one in its top folder', () => {
  const text = skillMd(...REFUNDS, 'allowed-tools: get_order, refund')
  const atRoot = readSkill([file('rules/eu.md', 'x'), file('SKILL.md', text), file('.DS_Store')])
  const inFolder = readSkill([
    file('refunds/SKILL.md', text),
    file('refunds/rules/eu.md', 'x'),
    file('__MACOSX/refunds/._SKILL.md'),
  ])
  expect(atRoot).toEqual(inFolder)
  expect(atRoot).toMatchObject({
    ok: true,
    skill: {
      name: 'refunds',
      description: 'Refunds an order.',
      allowedTools: ['get_order', 'refund'],
      files: [{ path: 'SKILL.md' }, { path: 'rules/eu.md' }],
    },
  })
})

test.each([
  ['a list', ['allowed-tools:', '  - a', '  - b'], ['a', 'b']],
  ['spaces', ['allowed-tools: a b'], ['a', 'b']],
  ['nothing', ['allowed-tools: ""'], []],
  ['no such key', [], null],
])('tools are given as %s', (_, lines, allowedTools) => {
  expect(read(...REFUNDS, ...lines)).toMatchObject({ ok: true, skill: { allowedTools } })
})

test('the fields of the format are accepted, also with Windows line ends and a byte order mark', () => {
  const more = ['license: MIT', 'compatibility: any', 'metadata:', '  author: Ana']
  const text = `\ufeff${skillMd(...REFUNDS, ...more)}`.replaceAll('\n', '\r\n')
  expect(readSkill([file('SKILL.md', text)])).toMatchObject({ ok: true, skill: { name: 'refunds' } })
})

test.each<[string, string[], string]>([
  ['a name in capitals', ['name: Refunds', 'description: x'], 'SKILL.md:2 name must have 1 to 64'],
  ['no description', ['name: refunds'], 'SKILL.md:1 description is required'],
  ['an unknown key', [...REFUNDS, 'allowed_tools: a'], 'SKILL.md:4 allowed_tools is not a key'],
  ['a key twice', [...REFUNDS, 'name: other'], 'SKILL.md:4 has the key name twice'],
  ['broken YAML', ['name: refunds', 'description: [x'], 'SKILL.md:4 is not valid YAML'],
  ['a tool that is no name', [...REFUNDS, 'allowed-tools: [{}]'], 'SKILL.md:4 allowed-tools must name'],
  ['metadata that is a text', [...REFUNDS, 'metadata: x'], 'SKILL.md:4 metadata must be keys'],
  ['an alias', ['name: &n refunds', 'description: *n'], 'SKILL.md:3 description must be a text'],
  ['a list', ['- name'], 'SKILL.md:2 must be keys and values'],
])('%s is a problem of its line', (_, lines, expected) => {
  const found = problems(read(...lines))
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(expected)
})

test('every wrong field is reported', () => {
  expect(problems(read('name: 7', 'license: ""'))).toHaveLength(3)
})

test('a missing or unclosed frontmatter is refused', () => {
  expect(problems(readSkill([file('SKILL.md', '# How')]))).toEqual([
    'SKILL.md:1 must begin with a line --- and the frontmatter',
  ])
  const endless = readSkill([file('SKILL.md', `---\n${'a: b\n'.repeat(5_000)}---\n`)])
  expect(problems(endless)[0]).toContain('ends the frontmatter within 4096 characters')
})

test('unlimited nesting is refused', () => {
  expect(read(...REFUNDS, `metadata: ${'['.repeat(2_000)}`).ok).toBe(false)
})

test('the name must be that of the folder', () => {
  expect(problems(readSkill([file('returns/SKILL.md', skillMd(...REFUNDS))]))).toEqual([
    'SKILL.md:2 name must be the name of its folder, returns',
  ])
})

test.each([
  '../evil',
  '/etc/passwd',
  'a//b',
  'a/./b',
  'C:\\x',
  'a\\b',
  'a\0b',
  'x'.repeat(300),
])('the path %j is refused', (path) => {
  expect(problems(readSkill([file('SKILL.md', skillMd(...REFUNDS)), file(path)]))).toHaveLength(1)
})

test('too many files, too much text and a missing SKILL.md are refused', () => {
  const main = file('SKILL.md', skillMd(...REFUNDS))
  const many = Array.from({ length: 200 }, (_, index) => file(`${index}.md`))
  expect(problems(readSkill([main, ...many]))[0]).toContain('more than 200 files')
  expect(problems(readSkill([main, { ...file('a'), sizeBytes: 3_000_000 }]))[0]).toContain('more than 2 MB')
  expect(problems(readSkill([file('a.md')]))).toEqual(['SKILL.md:null is missing'])
  expect(problems(readSkill([file('SKILL.md', null)]))).toEqual(['SKILL.md:null must be UTF-8 text'])
  expect(problems(readSkill([]))).toEqual(['SKILL.md:null is missing'])
})
