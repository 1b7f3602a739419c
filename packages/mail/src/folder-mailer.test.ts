import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderMailer } from './folder-mailer.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'troupe-mail-'))
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const mail = (subject: string) => ({
  to: 'ana@acme.test',
  subject,
  text: 'Open https://troupe.test/x?token=y',
})

test('a mail is a file that only its owner reads', async () => {
  const folder = join(parent, 'mail')
  await folderMailer(folder, () => Date.UTC(2026, 2, 1, 14, 5)).send(mail('Hello'))
  expect(await readdir(folder)).toEqual(['2026-03-01T14-05-00.000Z-0001.txt'])
  const file = join(folder, '2026-03-01T14-05-00.000Z-0001.txt')
  expect(await readFile(file, 'utf8')).toBe(
    'To: ana@acme.test\nSubject: Hello\n\nOpen https://troupe.test/x?token=y\n',
  )
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the newest hundred are kept', async () => {
  const mailer = folderMailer(parent, () => Date.UTC(2026, 2, 1))
  for (let n = 1; n <= 103; n += 1) await mailer.send(mail(`No ${n}`))
  const files = (await readdir(parent)).sort()
  expect(files).toHaveLength(100)
  expect(files[0]).toContain('-0004.txt')
})
