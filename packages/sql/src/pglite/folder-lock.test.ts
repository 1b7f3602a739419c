import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the lock of a folder', () => {
  it('is given back, and taken again', () => {
    const first = lockFolder(join(folder, 'new'))
    expect(() => lockFolder(join(folder, 'new'))).toThrow('This process has already opened')
    first[Symbol.dispose]()
    expect(existsSync(join(folder, 'new', 'lock'))).toBe(false)
    lockFolder(join(folder, 'new'))[Symbol.dispose]()
  })

  it('is refused with the pid of the living process that holds it', () => {
    writeFileSync(join(folder, 'lock'), `${process.ppid}\n`)
    expect(() => lockFolder(folder)).toThrow(`(pid ${process.ppid})`)
  })

  it.each([
    ['a dead process', '999999999'],
    ['an earlier process with our own pid', String(process.pid)],
    ['a crash while it was written', ''],
  ])('is taken over from %s', (_, content) => {
    writeFileSync(join(folder, 'lock'), content)
    using _lock = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow('already opened')
  })
})
