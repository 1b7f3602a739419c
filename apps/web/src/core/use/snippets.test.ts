import { expect, test } from 'vitest'
import { SNIPPET_LANGUAGES, shellWord, snippet } from './snippets.ts'

const THING = {
  kind: 'agent',
  id: '11111111-1111-4111-8111-111111111111',
  serverUrl: 'http://localhost:3000',
} as const

test.for(SNIPPET_LANGUAGES)('a message with quotes cannot leave its place in %s', (language) => {
  const message = `it's "$HOME" \`id\` \\ and
a new line`
  for (const style of ['answer', 'stream'] as const) {
    const text = snippet({ ...THING, message }, language, style)
    // The shell has its own escape for a quote; the others take the message as JSON.
    const json = JSON.stringify(message)
    expect(text).toContain(language === 'curl' ? shellWord(JSON.stringify({ message })) : json)
  }
})

test('a team is asked by its own addresses', () => {
  const team = { ...THING, kind: 'team', message: 'Hi' } as const
  expect(snippet(team, 'curl', 'answer')).toContain(`/api/v1/teams/${THING.id}/run-sync'`)
  expect(snippet(team, 'curl', 'stream')).toContain(`/api/v1/teams/${THING.id}/run-stream?detail=answer'`)
})
