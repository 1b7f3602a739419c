import { describe, expect, test } from 'vitest'
import type { BundleProblem } from './read/problem.ts'
import { readBundle } from './read/read-bundle.ts'

const problemsOf = (text: string, variables: Record<string, string> | null = {}) =>
  readBundle(text, variables).problems
const lines = (problems: readonly BundleProblem[]) =>
  problems.map(({ path, message, line }) => `${line} ${path}: ${message}`)

const bundle = (body: string) => `apiVersion: troupe/v1
organizations:
  - slug: acme
    name: Acme
${body}`

describe('reading a bundle', () => {
  test('takes JSON with tabs', () => {
    const text = '{\n\t"apiVersion": "troupe/v1",\n\t"organizations": [{ "slug": "acme", "name": "Acme" }]\n}'
    expect(readBundle(text, {})).toMatchObject({ problems: [], organizations: [{ value: { slug: 'acme' } }] })
  })

  test('an empty text and a text that is not an object are problems', () => {
    expect(lines(problemsOf(''))).toEqual(['1 : must be an object with apiVersion and organizations'])
    expect(lines(problemsOf('- a'))).toEqual(['1 : must be an object with apiVersion and organizations'])
  })

  test('reports the line of a syntax error, and of every duplicate key', () => {
    expect(problemsOf('apiVersion: "x\n')[0]?.message).toMatch(/^is not valid YAML: missing closing "quote/)
    expect(lines(problemsOf(bundle('    name: Again\n    slug: twice')))).toEqual([
      '5 : is not valid YAML: map keys must be unique',
      '6 : is not valid YAML: map keys must be unique',
    ])
  })

  test.each([
    ['a custom tag', 'apiVersion: !secret troupe/v1', /unresolved tag/],
    ['a second document', 'a: 1\n---\nb: 2', /^must be one document, not several$/],
    ['a deep text', '['.repeat(5_000), /nested too deeply|no valid YAML/],
    ['an alias without anchor', 'apiVersion: *nothing', /has the alias \*nothing/],
    ['a number that JSON does not have', 'apiVersion: .inf', /must be a finite number/],
    ['a key that is a list', '? [a, b]\n: 1', /has a key that is not plain text/],
  ])('refuses %s', (_what, text, message) => {
    expect(problemsOf(text)[0]?.message).toMatch(message)
  })

  test('stops an alias bomb before it expands', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inner = level === 0 ? 'x' : `*l${level - 1}`
      return `l${level}: &l${level} [${Array(9).fill(inner).join(', ')}]`
    })
    expect(problemsOf(levels.join('\n')).map(({ message }) => message)).toContain(
      'must use at most 100 aliases',
    )
  })

  test('reports all failures together, each with its line', () => {
    const text = bundle(`    projects:
      - { slug: Bad Slug, name: x }
      - { slug: ok, name: "", id: nope }
    apiKeys:
      - name: k
        secret: short
        expiresAt: tomorrow
    agents:
      - slug: a
        name: A
        instructions: misplaced
`)
    expect(lines(problemsOf(text))).toEqual([
      '6 organizations.0.projects.0.slug: must have 1 to 64 lower-case letters, digits and inner hyphens',
      '7 organizations.0.projects.1.name: must not be empty',
      '7 organizations.0.projects.1.id: must be a UUID',
      '11 organizations.0.apiKeys.0.expiresAt: must be a valid date-time',
      '10 organizations.0.apiKeys.0.secret: must have at least 8 characters',
      '15 organizations.0.agents.0.instructions: is not a known field',
    ])
  })

  test('finds duplicates', () => {
    const id = '00000000-0000-4000-8000-00000000000a'
    const text = bundle(`    id: ${id.toUpperCase()}
    projects:
      - { slug: p, name: P }
      - { slug: p, name: Q, id: ${id} }
    apiKeys:
      - { name: k, secret: the-same-secret-of-two-keys }
      - { name: k, secret: the-same-secret-of-two-keys }
    llmConfigurations:
      - { slug: m, name: M, providerId: sandbox, models: [{ modelId: a }, { modelId: a }] }
  - slug: acme
    name: Other
`)
    expect(lines(problemsOf(text))).toEqual([
      '14 organizations.1.slug: is used by another organization on line 3',
      '8 organizations.0.projects.1.id: is used by another part of the bundle on line 3',
      '11 organizations.0.apiKeys.1.secret: is used by another API key on line 10',
      '8 organizations.0.projects.1.slug: is used by another project on line 7',
      '11 organizations.0.apiKeys.1.name: is used by another API key on line 10',
      '13 organizations.0.llmConfigurations.0.models.1.modelId: is used by another model on line 13',
    ])
  })

  test('anchors and aliases work', () => {
    const text = bundle(`    projects:
      - &one { slug: one, name: One }
  - slug: other
    name: Other
    projects: [*one]
`)
    const read = readBundle(text, {})
    expect(read.problems).toEqual([])
    expect(read.organizations[1]?.projects[0]?.value).toEqual({ slug: 'one', name: 'One' })
  })

  test('a key named __proto__ is refused and reaches no prototype', () => {
    expect(lines(problemsOf(bundle('    __proto__: { polluted: true }')))).toEqual([
      '5 organizations.0.__proto__: is not a known field',
    ])
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('variables', () => {
  const nameOf = (name: string, variables: Record<string, string> | null) =>
    readBundle(`apiVersion: troupe/v1\norganizations: [{ slug: acme, name: ${name} }]`, variables)

  test('are resolved inside string values and never read as YAML', () => {
    const read = nameOf(`"a \${X} b"`, { X: '", id: "1\nprojects: []' })
    expect(read.problems).toEqual([])
    expect(read.organizations[0]?.value.name).toBe('a ", id: "1\nprojects: [] b')
    expect(nameOf(`"\${N}"`, { N: '60' }).organizations[0]?.value.name).toBe('60')
  })

  test('a missing one is a failure with its line, an empty one is empty text', () => {
    expect(lines(nameOf(`"\${NOT_SET}"`, {}).problems)).toEqual([
      '2 organizations.0.name: needs the environment variable NOT_SET, which is not set',
    ])
    expect(lines(nameOf(`"\${EMPTY}"`, { EMPTY: '' }).problems)).toEqual([
      '2 organizations.0.name: must not be empty',
    ])
    expect(nameOf(`"\${toString}"`, {}).problems).toHaveLength(1)
  })

  test(`a doubled dollar writes a literal one, and anything else after \${ is a failure`, () => {
    expect(nameOf(`"costs $\${X} and $5"`, {}).organizations[0]?.value.name).toBe(`costs \${X} and $5`)
    expect(nameOf(`"\${not a name}"`, {}).problems[0]?.message).toMatch(/without a variable name/)
  })

  test('are not read from requests', () => {
    expect(nameOf(`"\${HOME}"`, null).problems[0]?.message).toBe(
      `has \${HOME}, and variables are not resolved in requests: send the value, or use \`troupe apply\``,
    )
  })

  test('failures never repeat a value', () => {
    const { problems } = readBundle(
      `apiVersion: troupe/v1\norganizations: [{ slug: "\${S}", name: x, limits: "\${S}", apiKeys: [{ name: k, secret: "\${S}" }] }]`,
      { S: 's3cr3t!' },
    )
    expect(problems.length).toBeGreaterThan(2)
    expect(JSON.stringify(problems)).not.toContain('s3cr3t')
  })
})
