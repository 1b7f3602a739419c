import { isUtf8 } from 'node:buffer'
import { opendir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { MAX_SKILL_BYTES, MAX_SKILL_FILES } from '@troupe/contract'
import type { BundleFolder } from './bundle-folder.ts'

/** Maximum files, folders and links to examine: the folder may be large, such as a home directory. */
const MAX_ENTRIES = 10 * MAX_SKILL_FILES

type SkillTexts = { texts: Record<string, string> } | { problem: string }

/** The texts of a skill's folder inside the bundle's folder, by path; links and non-text files are omitted. */
export async function skillTexts(folder: BundleFolder, path: string): Promise<SkillTexts> {
  const main = await folder(join(path, 'SKILL.md'))
  if ('problem' in main) return { problem: `must be a folder with a SKILL.md, which ${main.problem}` }
  try {
    return await textsBelow(dirname(main.path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { problem: `cannot be read (${code})` }
  }
}

async function textsBelow(root: string): Promise<SkillTexts> {
  const files = await filesBelow(root)
  if (files === null) return { problem: `must have at most ${MAX_ENTRIES} files, folders and links` }
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

/** Null if there are more than the maximum. */
async function filesBelow(root: string): Promise<string[] | null> {
  const files: string[] = []
  const folders = [root]
  let entries = 0
  for (const folder of folders) {
    for await (const entry of await opendir(folder)) {
      entries += 1
      if (entries > MAX_ENTRIES) return null
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) files.push(path)
    }
  }
  return files
}
