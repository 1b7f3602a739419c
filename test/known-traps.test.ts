import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesWithDisabledTests, missingTests, tableRows } from './linked-tests.ts'

const FILE = new URL('../docs/known-traps.md', import.meta.url)
const page = readFileSync(FILE, 'utf8')
const [withTests = '', withoutTests = ''] = page.split('\nWithout a test:\n')
const rows = tableRows(withTests)
const ISSUE = /\[([\w.-]+\/[\w.-]+#\d+)\]\(https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\/issues\/(\d+)\)/g

/** Issues of other editors that the builder must address. */
const BUILDER_ISSUES = [
  ...[2545, 7588, 7901, 11070, 11638, 12950, 14507, 18705, 19677, 35120, 36915].map((n) => `n8n-io/n8n#${n}`),
  ...[246, 3164, 3324, 7313, 11181, 14673].map((n) => `langflow-ai/langflow#${n}`),
  ...[3607, 8888, 29416, 38994].map((n) => `langgenius/dify#${n}`),
  ...[2039, 2999].map((n) => `node-red/node-red#${n}`),
  ...[3883, 4239, 5575, 5620].map((n) => `xyflow/xyflow#${n}`),
  'windmill-labs/windmill#11241',
  'FlowiseAI/Flowise#3687',
  'openobserve/openobserve#11444',
  'langfuse/langfuse#9933',
  'activepieces/activepieces#9190',
  'codemirror/dev#395',
  'adobe/react-spectrum#8273',
  'sinclairzx81/typebox#480',
  'freenet/freenet-core#5213',
  'Dictionarry-Hub/profilarr#434',
]
/** Issues of parts that are not built, or covered by benchmark figures. */
const WITHOUT_TESTS = [
  'langflow-ai/langflow#14673',
  'xyflow/xyflow#3883',
  'xyflow/xyflow#4239',
  'xyflow/xyflow#5575',
  'langfuse/langfuse#9933',
  'openobserve/openobserve#11444',
]

const issuesOf = (text: string) => [...text.matchAll(ISSUE)].map(([, name = '']) => name)

test('every known trap names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.flatMap((row) => missingTests(FILE, row))).toEqual([])
})

test('no test of a known trap is disabled', () => {
  expect(filesWithDisabledTests(FILE, withTests)).toEqual([])
})

test('every issue that the builder must address is on the page, with a test except for the listed ones', () => {
  expect(BUILDER_ISSUES.filter((issue) => !issuesOf(page).includes(issue))).toEqual([])
  expect(issuesOf(withoutTests).toSorted()).toEqual(WITHOUT_TESTS.toSorted())
})

test('the link of every issue is correct', () => {
  const wrong = [...page.matchAll(ISSUE)].filter(([, name, place, number]) => name !== `${place}#${number}`)
  expect(wrong.map(([link]) => link)).toEqual([])
})
