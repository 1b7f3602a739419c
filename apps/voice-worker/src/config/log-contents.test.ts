import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { keepContentsOutOfLogs, withoutContents } from './log-contents.ts'

test('a log record keeps the event and loses the words and the speakers', () => {
  const record = {
    ...{ level: 30, msg: 'playout completed', speech_id: 'speech_1', 'lk.pii.message': 'Your PIN is 1234.' },
    job: { id: 'AJ_1', 'lk.pii.room_name': 'call_1' },
  }
  expect(JSON.parse(withoutContents(`${JSON.stringify(record)}\n`))).toEqual({
    ...{ level: 30, msg: 'playout completed', speech_id: 'speech_1', job: { id: 'AJ_1' } },
  })
})

test('lines without conversation contents are kept unchanged, and a malformed line with contents is dropped', () => {
  const lines = ['{"pid":1,"pid":1}', '{"lk.pii.message":"secret', '{"lk.pii.message":"secret","a":1}', '']
  expect(withoutContents(lines.join('\n'))).toBe('{"pid":1,"pid":1}\n\n{"a":1}\n')
})

test('output loses conversation contents, and everything else arrives', async () => {
  const output = new PassThrough()
  keepContentsOutOfLogs(output as never)
  output.write('{"lk.pii.user_transcript":"my secret","a":1}\n')
  output.write(Buffer.from('bytes\n'))
  output.end('plain\n')
  expect((await output.toArray()).join('')).toBe('{"a":1}\nbytes\nplain\n')
})
