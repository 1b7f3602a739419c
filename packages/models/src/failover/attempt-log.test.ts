import type { ModelAttempt, ModelTarget } from '@troupe/agents/ports'
import { expect, test } from 'vitest'
import { attemptFailure } from './attempt-failure.ts'
import { AttemptLog } from './attempt-log.ts'

test('a key at the cut of a text is masked whole', () => {
  const key = 'sk-live-ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const connection = { llmConfigId: 'c', credentials: { apiKey: key }, settings: {} }
  const target = { connection, modelId: 'm' } as unknown as ModelTarget
  const attempts: ModelAttempt[] = []
  const observer = {
    onAttempt: (attempt: ModelAttempt) => attempts.push(attempt),
    onFailover() {},
    onReset() {},
  }
  const log = new AttemptLog(observer)
  const said = `${'x'.repeat(480)} ${key} is wrong`
  const attempt = { elapsedMs: 1, ttftMs: null, usage: undefined }
  log.report(target, 1, false, attempt as never, attemptFailure('http_401', said, {}))
  expect(`${attempts[0]?.internalMessage} ${log}`).not.toContain('sk-live')
  expect(attempts[0]?.internalMessage?.length).toBeLessThanOrEqual(500)
})
