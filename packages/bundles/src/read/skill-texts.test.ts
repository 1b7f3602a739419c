import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleFolder } from './bundle-folder.ts'
import { skillTexts } from './skill-texts.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'troupe-skill-'))
  await mkdir(join(root, 'skill'))
  await writeFile(join(root, 'skill', 'SKILL.md'), 'Text.')
})
afterEach(() => rm(root, { recursive: true }))

const read = (path = 'skill') => skillTexts(bundleFolder(root), path)

test('a folder with more files than a skill may have is not read to its end', async () => {
  const links = Array.from({ length: 2_000 }, (_, at) =>
    symlink('SKILL.md', join(root, 'skill', `link-${at}`)),
  )
  await Promise.all(links)
  expect(await read()).toEqual({ problem: 'must have at most 2000 files, folders and links' })
})

test('a folder with too many or too large files is reported as such', async () => {
  await writeFile(join(root, 'skill', 'large.md'), 'x'.repeat(2 * 1024 * 1024))
  expect(await read()).toEqual({ problem: 'must have at most 2 MB' })
  await Promise.all(Array.from({ length: 200 }, (_, at) => writeFile(join(root, 'skill', `${at}.md`), '')))
  expect(await read()).toEqual({ problem: 'must have at most 200 files' })
})

test('links out of the folder are not followed', async () => {
  await writeFile(join(root, 'secret.md'), 'Secret.')
  await symlink(root, join(root, 'skill', 'outside'))
  await symlink('../secret.md', join(root, 'skill', 'link.md'))
  await symlink('..', join(root, 'skill', 'circle'))
  expect(await read()).toEqual({ texts: { 'SKILL.md': 'Text.' } })
  await symlink('/etc', join(root, 'etc'))
  expect(await read('etc')).toEqual({
    problem: 'must be a folder with a SKILL.md, which cannot be read (ENOENT)',
  })
  expect(await read('..')).toEqual({
    problem: "must be a folder with a SKILL.md, which must be a file inside the bundle's folder",
  })
})

// On other systems, file names may be case-insensitive.
test.runIf(process.platform === 'linux')('names that differ only in case are two files', async () => {
  await writeFile(join(root, 'skill', 'Rules.md'), 'A')
  await writeFile(join(root, 'skill', 'rules.md'), 'B')
  expect(await read()).toEqual({ texts: { 'SKILL.md': 'Text.', 'Rules.md': 'A', 'rules.md': 'B' } })
})

test('a path that cannot be read is reported with the reason', async () => {
  const read = skillTexts(async () => ({ path: join(root, 'gone', 'SKILL.md') }), 'skill')
  expect(await read).toEqual({ problem: 'cannot be read (ENOENT)' })
})
