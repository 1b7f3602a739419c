import { TestClock } from '@troupe/agents/testing/test-clock'
import { expect, test } from 'vitest'
import { JobSetting, newTag } from './job-setting.ts'
import { SUBJECTS } from './scripted-crew.ts'

test('simultaneous messages have one order: in the last event, in the poll, in a repeated response', async () => {
  const clock = new TestClock({ speed: 0 })
  await using setting = await JobSetting.start({ overrides: { clock } })
  for (const name of SUBJECTS) {
    const subject = setting.subjects[name]
    const jobId = await setting.start(subject, newTag(), { include_messages: true })
    const { result } = await setting.untilEnded(subject, jobId)
    const last = (await setting.log(subject, jobId)).at(-1)
    expect(last?.event === 'RunCompleted' && last.result.messages).toEqual(result?.messages)
    const body = { message: `Please work for #${newTag()}#`, include_messages: true }
    const headers = { 'idempotency-key': newTag() }
    const path = `POST ${subject.path}/${subject.kind === 'agent' ? 'run' : 'run-sync'}`
    const first = await setting.server.call(path, { body, headers })
    expect((await setting.server.call(path, { body, headers })).body).toEqual(first.body)
  }
})
