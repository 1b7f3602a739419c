import { expect, test } from 'vitest'
import { CALL_LANGUAGES, CALL_WAYS, runSnippet } from './run-snippets.ts'

const ID = '6f0e0000-0000-4000-8000-000000000001'
const call = (kind: keyof typeof CALL_WAYS, way: 'wait' | 'stream' | 'job') => ({
  baseUrl: 'https://troupe.test',
  kind,
  id: ID,
  way,
})

test('each kind is called at its own address, with the key from the environment', () => {
  expect(runSnippet('curl', call('agent', 'wait'))).toContain(`/api/v1/agents/${ID}/run'`)
  expect(runSnippet('curl', call('team', 'wait'))).toContain(`/api/v1/teams/${ID}/run-sync'`)
  expect(runSnippet('curl', call('agent', 'stream'))).toMatch(/^curl -N -X POST/)
  expect(runSnippet('curl', call('workflow', 'job'))).toContain('/api/v1/workflow-jobs/$JOB_ID"')
  expect(runSnippet('python', call('workflow', 'wait'))).toContain(`client.run_workflow("${ID}", input={})`)
  expect(runSnippet('typescript', call('team', 'stream'))).toContain('client.teams.stream(teamId, ')
})

test('every language has every way, and no key is ever written in it', () => {
  for (const language of CALL_LANGUAGES) {
    for (const kind of ['agent', 'team', 'workflow'] as const) {
      for (const way of CALL_WAYS[kind]) {
        const code = runSnippet(language, call(kind, way))
        expect(code).toContain(ID)
        expect(code).toContain('TROUPE_API_KEY')
      }
    }
  }
})
