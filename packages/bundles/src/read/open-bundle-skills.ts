import type { BundleSkill } from '@troupe/contract'
import { type SkillVersionContent, skillOfTexts } from '@troupe/operations/skills/skill-files'
import { type BundleFolder, NO_FOLDER } from './bundle-folder.ts'
import { ProblemList } from './problem-list.ts'
import type { ReadBundle } from './read-bundle.ts'
import { skillTexts } from './skill-texts.ts'

/** A bundle with its skills read. */
export interface BundleWithSkills extends ReadBundle {
  /** The skills with given files, by their paths in the bundle. */
  skills: ReadonlyMap<string, SkillVersionContent>
}

/**
 * Reads the skills of a bundle. Problems are added to those of the bundle.
 *
 * @param folder null: the bundle has no folder, and `path` is a problem
 */
export async function openBundleSkills(
  bundle: ReadBundle,
  folder: BundleFolder | null,
): Promise<BundleWithSkills> {
  const problems = new ProblemList(bundle.lines, bundle.problems)
  const skills = new Map<string, SkillVersionContent>()
  for (const { path, value } of bundle.organizations.flatMap((organization) => organization.skills)) {
    const report = (field: string, message: string) => problems.add(`${path}${field}`, message)
    const texts = await textsOf(value, folder, report)
    if (texts === null) continue
    const read = skillOfTexts(texts)
    const field = value.path === undefined ? '.files' : '.path'
    if (!read.ok) for (const message of read.problems) report(field, message)
    else if (read.version.slug !== value.slug)
      report('.slug', `must be the name of the skill, ${read.version.slug}`)
    else skills.set(path, read.version)
  }
  return { ...bundle, problems: problems.found, skills }
}

/** Null if there are none, and for unreadable files, which are reported. */
async function textsOf(
  { files, path }: BundleSkill,
  folder: BundleFolder | null,
  report: (field: string, message: string) => void,
): Promise<Record<string, string> | null> {
  if (path === undefined) return files ?? null
  if (files !== undefined) {
    report('.path', 'must not be given together with files')
    return null
  }
  if (folder === null) {
    report('.path', NO_FOLDER)
    return null
  }
  const found = await skillTexts(folder, path)
  if ('texts' in found) return found.texts
  report('.path', found.problem)
  return null
}
