import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesWithDisabledTests, missingTests, tableRows } from './linked-tests.ts'

const FILE = new URL('../docs/compatibility.md', import.meta.url)
const page = readFileSync(FILE, 'utf8')
const [head = '', rules = ''] = page.split(/^(?=## All providers$)/m)
const rows = tableRows(rules)
const cellsOf = (row: string) => row.split(/(?<!\\)\|/).map((cell) => cell.trim())

/** The protocols that the page must cover. */
const SECTIONS = [
  ...['All providers', 'OpenAI Chat Completions', 'OpenAI Responses', 'Azure OpenAI', 'Anthropic'],
  ...['Amazon Bedrock', 'Google Gemini', 'Mistral', 'Groq', 'xAI', 'DeepSeek', 'OpenRouter'],
  ...['Ollama, vLLM and LM Studio', 'Embeddings', 'Lists of models', 'MCP', 'OpenAPI'],
]

test('every protocol has a section of rules', () => {
  const sections = [...rules.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(SECTIONS)
})

test('every rule has a source, its evidence, and tests that exist', () => {
  expect(rows.length).toBeGreaterThan(5)
  const wrong = rows.filter((row) => {
    const [, rule, source, seen, tests, end, ...rest] = cellsOf(row)
    const isWhole = rule !== '' && tests !== '' && end === '' && rest.length === 0
    return !(
      isWhole &&
      /\]\(https:\/\//.test(source ?? '') &&
      /^(recorded answer|suite|never)$/.test(seen ?? '')
    )
  })
  expect(wrong).toEqual([])
  expect(rows.flatMap((row) => missingTests(FILE, row))).toEqual([])
})

test('the page has the lookup status of every source, and of no other', () => {
  const told = [...head.matchAll(/^\| `(https:\/\/[^`]+)` \| (?:yes|no)\b/gm)].map(([, start = '']) => start)
  const sources = [...rules.matchAll(/\]\((https?:\/\/[^)\s]+)\)/g)].map(([, source = '']) => source)
  expect(sources.filter((source) => !told.some((start) => source.startsWith(start)))).toEqual([])
  const longest = sources.map((source) =>
    told
      .filter((start) => source.startsWith(start))
      .reduce((one, other) => (other.length > one.length ? other : one), ''),
  )
  expect(told.filter((start) => !longest.includes(start))).toEqual([])
})

test('no test of a rule is disabled', () => {
  expect(filesWithDisabledTests(FILE, rules)).toEqual([])
})
