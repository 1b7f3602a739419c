import { expect, test } from 'vitest'
import { SNIPPET_STYLES } from './called-thing.ts'
import { shellWord } from './shell-word.ts'
import { SNIPPET_LANGUAGES, snippet } from './snippets.ts'

const THING = {
  kind: 'agent',
  id: '11111111-1111-4111-8111-111111111111',
  serverUrl: 'http://localhost:3000',
  input: { order: "it's 4711" },
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

test('every kind has every style in every language, with its id, and no key is ever written in it', () => {
  for (const language of SNIPPET_LANGUAGES) {
    for (const kind of ['agent', 'team', 'workflow'] as const) {
      for (const style of SNIPPET_STYLES[kind]) {
        const text = snippet({ ...THING, kind, message: 'Hi' }, language, style)
        expect(text).toContain(`/${kind}s/${THING.id}/`)
        expect(text).toContain('TROUPE_API_KEY')
      }
    }
  }
})

test('a team is called by its own paths', () => {
  const team = { ...THING, kind: 'team', message: 'Hi' } as const
  expect(snippet(team, 'curl', 'answer')).toContain(`/api/v1/teams/${THING.id}/run-sync'`)
  expect(snippet(team, 'curl', 'stream')).toContain(`/api/v1/teams/${THING.id}/run-stream?detail=answer'`)
})

test.for(SNIPPET_LANGUAGES)('a workflow is sent what its trigger reads in %s', (language) => {
  const body = JSON.stringify({ input: THING.input })
  for (const style of SNIPPET_STYLES.workflow) {
    const text = snippet({ ...THING, kind: 'workflow', message: '' }, language, style)
    expect(text).toContain(language === 'curl' ? shellWord(body) : body)
  }
})
