import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { MAX_SKILL_BYTES, MAX_SKILL_FILES } from '@troupe/contract'
import type { BundleFolder } from './bundle-folder.ts'

/** The texts of a skill's folder inside the bundle's folder, by path; links and files that are no text are left out. */
export async function skillTexts(
  folder: BundleFolder,
  path: string,
): Promise<{ texts: Record<string, string> } | { problem: string }> {
  const main = await folder(join(path, 'SKILL.md'))
  if ('problem' in main) return { problem: `must be a folder with a SKILL.md, which ${main.problem}` }
  const root = dirname(main.path)
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  if (files.length > MAX_SKILL_FILES) return { problem: `must have at most ${MAX_SKILL_FILES} files` }
  const texts: [string, string][] = []
  let left = MAX_SKILL_BYTES
  for (const file of files.sort()) {
    left -= (await stat(file)).size
    if (left < 0) return { problem: `must have at most ${MAX_SKILL_BYTES / 1024 / 1024} MB` }
    const bytes = await readFile(file)
    if (!isUtf8(bytes) || bytes.includes(0)) continue
    texts.push([relative(root, file).split(sep).join('/'), bytes.toString('utf8')])
  }
  return { texts: Object.fromEntries(texts) }
}
