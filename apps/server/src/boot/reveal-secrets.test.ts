import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { readEnv } from '../config/env.ts'
import { revealSecrets, START_SECRETS_FILE } from './reveal-secrets.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-reveal-'))
})
afterAll(() => rm(folder, { recursive: true }))

const given = (env: Record<string, string>) => readConfig(readEnv({ TROUPE_DATA_DIR: folder, ...env }))

test('prints secrets while only this machine reaches the server, or when configured to', async () => {
  expect(await revealSecrets(given({}), 'with one-password\n')).toBe('with one-password\n')
  const asked = given({ HOST: '0.0.0.0', TROUPE_PRINT_SECRETS: 'on' })
  expect(await revealSecrets(asked, 'with one-password\n')).toBe('with one-password\n')
  expect(await readdir(folder)).toEqual([])
})

test('otherwise writes them to a file with mode 0600, and a second start loses none', async () => {
  const open = given({ HOST: '0.0.0.0' })
  expect(await revealSecrets(open, '')).toBe('')
  expect(await readdir(folder)).toEqual([])
  const path = join(folder, START_SECRETS_FILE)
  for (const word of ['first', 'second']) {
    const printed = await revealSecrets(open, `with ${word}-password\n`)
    expect(printed).toContain(path)
    expect(printed).not.toContain('-password')
  }
  expect(await readFile(path, 'utf8')).toBe('with first-password\n\nwith second-password\n\n')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
