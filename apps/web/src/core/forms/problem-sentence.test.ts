import { expect, test } from 'vitest'
import { agentToolWords, TOOL_SETTING_WORDS } from '../messages/en/agents/agent-tools.ts'
import { checkContent } from './check-content.ts'
import { problemAt, problemSentence, problemWithin } from './problem-sentence.ts'

test('errors that refer to keys of the API use the words of the page, others are complete sentences', () => {
  expect(problemSentence('is required when mode is json_schema')).toBe(
    'Enter the answer schema, or choose text',
  )
  expect(problemSentence('is already a member')).toBe('Is already a member')
  expect([problemSentence(''), problemSentence(null)]).toEqual([null, null])
})

/** The agent form's error for a setting of its only tool. */
function ofTool(tool: object, key: string): string | null {
  const problems = checkContent('agent', { name: 'A', description: null, config: { tools: [tool] } })
  return problemAt(problems, `config.tools.0.${key}`)
}

test('every error of a URL is shown, with the names of its fields', () => {
  const url = 'https://a.test/{order}?x={{ context.key }}'
  const { input_schema, context_keys } = TOOL_SETTING_WORDS
  expect(ofTool({ type: 'http', name: 'a', method: 'GET', url }, 'url')).toBe(
    `{order} is not in “${input_schema.label}”. {{ context.key }} is not in “${context_keys.label}”, which is in “${agentToolWords.more}”`,
  )
})

test.for([
  [{ type: 'openapi', name: 'a' }, 'spec_url', 'Enter the address of the document, or the document itself'],
  [{ type: 'mcp' }, 'server_id', 'Choose a server'],
  [{ type: 'mcp', url: '' }, 'url', 'Is required'],
  [
    { type: 'builtin', builtin: 'web_search' },
    'auth_credential_id',
    'Choose the credential of a search provider',
  ],
  [
    { type: 'builtin', builtin: 'datetime', approval: { field: '', op: 'gt', value: '' } },
    'approval.field',
    'Is required',
  ],
] as const)('the missing parts of the tool %j are shown at their fields, without a key of the API', ([
  tool,
  key,
  said,
]) => {
  expect(ofTool(tool, key)).toBe(said)
})

test('a rule that cannot redact must block or flag', () => {
  const guardrails = { input: [{ type: 'max_length', max_chars: 5, action: 'redact' }] }
  const problems = checkContent('agent', { name: 'A', description: null, config: { guardrails } })
  expect(problemAt(problems, 'config.guardrails.input.0.action')).toBe(
    'Choose Block or Flag: this kind of rule finds no part of a text to redact',
  )
})

test('a setting with a single field shows the errors of its parts, and no parts of other settings', () => {
  const problems = [
    { path: 'config.headers.X-A', message: 'is given twice' },
    { path: 'config.headers', message: 'must be an object' },
    { path: 'config.headersOfOthers', message: 'is required' },
  ]
  expect(problemWithin(problems, 'config.headers')).toBe('Must be an object. X-A: Is given twice')
  expect(problemWithin(problems, 'config.query')).toBeNull()
})
