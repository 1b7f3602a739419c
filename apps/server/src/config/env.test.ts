import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readEnv } from './env.ts'
import { VARIABLES } from './variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'troupe-env-'))
const file = join(folder, 'value')
writeFileSync(file, '  what the file says\n')
afterAll(() => rmSync(folder, { recursive: true }))

describe.for(VARIABLES)('$name', ({ name }) => {
  test('may be in a file', () => {
    const env = readEnv({ [`${name}_FILE`]: file })
    expect(env.values[name]).toBe('what the file says')
    expect([env.absent, env.problems]).toEqual([[], []])
  })

  test('is a problem if it is given twice or its file is missing', () => {
    expect(() => readConfig(readEnv({ [name]: 'x', [`${name}_FILE`]: file }))).toThrow(
      `${name} and ${name}_FILE are both set. Remove one of the two.`,
    )
    expect(() => readConfig(readEnv({ [`${name}_FILE`]: join(folder, 'none') }))).toThrow(
      `${name}_FILE names ${join(folder, 'none')}, which cannot be used: there is no such file.`,
    )
  })
})
