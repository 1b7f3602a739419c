import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { isJsonObject } from '@troupe/contract'
import type { BundleFolder } from './bundle-folder.ts'
import type { BundleProblem } from './problem.ts'
import { skillTexts } from './skill-texts.ts'

/**
 * The value of a bundle with every `path` of a document replaced by the file's name and bytes, and that of a skill by its
 * texts, for a server that cannot read the bundle's folder.
 */
export async function inlineFiles(
  value: unknown,
  folder: BundleFolder,
): Promise<{ value: unknown; problems: Omit<BundleProblem, 'line'>[] }> {
  const problems: Omit<BundleProblem, 'line'>[] = []
  const inlined = async (document: unknown, at: string): Promise<unknown> => {
    if (!isJsonObject(document) || typeof document.path !== 'string') return document
    const { path, ...rest } = document
    const found = await folder(path)
    if ('problem' in found) {
      problems.push({ path: `${at}.path`, message: found.problem })
      return document
    }
    return { name: basename(path), ...rest, base64: (await readFile(found.path)).toString('base64') }
  }
  const inlinedSkill = async (skill: unknown, at: string): Promise<unknown> => {
    if (!isJsonObject(skill) || typeof skill.path !== 'string') return skill
    const { path, ...rest } = skill
    const found = await skillTexts(folder, path)
    if ('texts' in found) return { ...rest, files: found.texts }
    problems.push({ path: `${at}.path`, message: found.problem })
    return skill
  }
  const organizations = await each(value, 'organizations', '', async (organization, at) =>
    each(
      await each(organization, 'knowledgeBases', at, (base, place) =>
        each(base, 'documents', place, inlined),
      ),
      'skills',
      at,
      inlinedSkill,
    ),
  )
  return { value: organizations, problems }
}

/** A value with every item of one of its lists replaced. Anything that is not of this form stays. */
async function each(
  value: unknown,
  key: string,
  path: string,
  replace: (item: unknown, path: string) => Promise<unknown>,
): Promise<unknown> {
  if (!isJsonObject(value)) return value
  const list = value[key]
  if (!Array.isArray(list)) return value
  const prefix = path === '' ? key : `${path}.${key}`
  const replaced: unknown[] = []
  for (const [index, item] of list.entries()) replaced.push(await replace(item, `${prefix}.${index}`))
  return { ...value, [key]: replaced }
}
