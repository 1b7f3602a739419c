import { expect, test } from 'vitest'
import { validator } from '../validation/validator.ts'
import { AgentRunBody, AgentStreamBody } from './run-body.ts'

const check = validator(AgentRunBody)
const errorsOf = (body: unknown) => {
  const checked = check(body)
  return checked.ok ? [] : checked.errors
}

test.for([
  { message: 'x' },
  { message: 'x'.repeat(100_000) },
  { message: ' x ' },
  { message: 'x', session_id: 'x', user_id: 'x'.repeat(255) },
  { message: 'x', tag: 'team-a/v1.2: nightly_run' },
  { message: 'x', tool_context: { customer: { id: 7 } }, include_messages: true },
  { message: 'x', unknown: 'kept for later versions' },
])('the body %j is accepted', (body) => {
  expect(errorsOf(body)).toEqual([])
})

test.for<[unknown, string, string]>([
  [{}, 'message', 'is required'],
  [{ message: '' }, 'message', 'must not be empty'],
  [{ message: ' \n\t' }, 'message', 'must not be only white space'],
  [{ message: 'x'.repeat(100_001) }, 'message', 'must have at most 100000 characters'],
  [{ message: 7 }, 'message', 'must be a string'],
  [{ message: 'x', session_id: '' }, 'session_id', 'must not be empty'],
  [{ message: 'x', user_id: 'x'.repeat(256) }, 'user_id', 'must have at most 255 characters'],
  [{ message: 'x', include_messages: 'yes' }, 'include_messages', 'must be a boolean'],
  [{ message: 'x', tag: 'x'.repeat(129) }, 'tag', 'must have at most 128 characters'],
  [
    { message: 'x', tag: 'ana@acme.test' },
    'tag',
    'must start with a letter or digit and have only letters, digits, spaces and . _ : / -',
  ],
  [{ message: 'x', tool_context: [] }, 'tool_context', 'must be an object'],
  [[], '', 'must be an object'],
  [null, '', 'must be an object'],
])('the body %j is refused in one sentence', ([body, path, message]) => {
  expect(errorsOf(body)).toEqual([{ path, message }])
})

test('only a stream has a policy for a disconnected caller', () => {
  const stream = validator(AgentStreamBody)
  expect(stream({ message: 'x', on_disconnect: 'cancel' })).toMatchObject({ ok: true })
  expect(stream({ message: 'x', on_disconnect: 'wait' })).toEqual({
    ok: false,
    errors: [{ path: 'on_disconnect', message: 'must be one of: continue, cancel' }],
  })
})
