import { expect, test } from 'vitest'
import { curlCommand } from './curl.ts'

test('a request is a command whose texts the shell leaves unchanged, and whose key it inserts', () => {
  const command = curlCommand({
    method: 'POST',
    url: "https://troupe.test/api/v1/agents/a'b/run",
    headers: { 'X-API-Key': '$TROUPE_API_KEY', 'X-Note': 'costs $5 `now` "here"' },
    body: { message: "It's $HOME" },
  })
  expect(command).toBe(
    [
      `curl -X POST 'https://troupe.test/api/v1/agents/a'\\''b/run'`,
      `-H "X-API-Key: $TROUPE_API_KEY"`,
      '-H "X-Note: costs \\$5 \\`now\\` \\"here\\""',
      `-d '{\n  "message": "It'\\''s $HOME"\n}'`,
    ].join(' \\\n  '),
  )
})

test('a GET needs no method, and a stream is shown as it arrives', () => {
  expect(curlCommand({ method: 'GET', url: 'https://troupe.test/x', isStream: true })).toBe(
    "curl -N 'https://troupe.test/x'",
  )
})
