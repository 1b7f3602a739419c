import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderSize } from './folder-size.ts'

test('the size of a folder is that of all its files; of a missing one 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-size-'))
  await mkdir(join(folder, 'below'))
  await writeFile(join(folder, 'a'), 'x'.repeat(10))
  await writeFile(join(folder, 'below', 'b'), 'x'.repeat(32))
  expect(await folderSize(folder)).toBe(42)
  await rm(folder, { recursive: true })
  expect(await folderSize(folder)).toBe(0)
})
