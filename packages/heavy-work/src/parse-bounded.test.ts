import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { BusyError } from './busy-error.ts'
import { createHeavyWork } from './heavy-work.ts'
import { parseBounded } from './parse-bounded.ts'

test('a parser that is ended together with its server makes no statement about the text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-parser-'))
  await using resources = new AsyncDisposableStack()
  resources.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'starts.mjs')
  await writeFile(path, "process.kill(process.pid, 'SIGINT')\nsetInterval(() => {}, 1_000)\n")
  const parser = { kind: 'bundle', parse: () => null, program: pathToFileURL(path) } as const
  const turn = { heavy: resources.use(createHeavyWork()), owner: 'a' }
  await expect(parseBounded(parser, turn, { text: 'x'.repeat(10_000) })).rejects.toThrow(BusyError)
})

test('no process is started for a text that the parser refuses without reading it', async () => {
  const program = pathToFileURL(join(tmpdir(), 'no-such-program.mjs'))
  const parser = {
    kind: 'bundle',
    parse: () => 'refused',
    isRefused: (text: string) => text.startsWith('x'),
    program,
  } as const
  using heavy = createHeavyWork()
  expect(await parseBounded(parser, { heavy, owner: 'a' }, { text: 'x'.repeat(10_000) })).toBe('refused')
  expect(await parseBounded(parser, { heavy, owner: 'a' }, { text: 'y'.repeat(10_000) })).toBeNull()
})
