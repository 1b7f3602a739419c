import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { DomainError, MAX_SKILL_BYTES, MAX_SKILL_FILES } from '@troupe/contract'
import { BadArchive, readZip } from '@troupe/documents'
import type { HeavyWork } from '@troupe/heavy-work'
import type { NewSkillVersion } from '@troupe/storage'
import { readSkill, type SkillFile, type SkillFolder } from './files/read-skill.ts'
import { problemInFile } from './skill-errors.ts'

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

function skillFile(path: string, bytes: Buffer): SkillFile {
  const isText = isUtf8(bytes) && !bytes.includes(0)
  const text = isText ? bytes.toString('utf8') : null
  return { path, text, sizeBytes: bytes.length, contentHash: sha256(bytes) }
}

/** Files given as text by path. */
export function filesOfTexts(texts: Readonly<Record<string, string>>): SkillFile[] {
  return Object.entries(texts).map(([path, text]) => skillFile(path, Buffer.from(text)))
}

/**
 * The files of a zip archive.
 *
 * @param owner the organization whose quota it uses
 * @throws DomainError `validation_error` for an unreadable archive; BusyError if it was not read
 */
export async function filesOfZip(heavy: HeavyWork, owner: string, archive: Buffer): Promise<SkillFile[]> {
  try {
    // Twice the number of files, because an archive also lists its folders.
    const limits = { entries: MAX_SKILL_FILES * 2, inflatedBytes: MAX_SKILL_BYTES }
    const piece = { kind: 'archive', owner, heldBytes: archive.length } as const
    const files = await heavy.run(piece, () => readZip(archive, limits))
    return files.map(({ path, bytes }) => skillFile(path, bytes))
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error
    throw new DomainError('validation_error', `The skill is not valid. ${error.message}`, {
      errors: [{ path: 'file', message: error.message }],
    })
  }
}

/** A version of a skill without its id and project. */
export type SkillVersionContent = Omit<NewSkillVersion, 'id' | 'organizationId' | 'projectId'>

/** The skill in these texts by path, or its problems. */
export function skillOfTexts(
  texts: Readonly<Record<string, string>>,
): { ok: true; version: SkillVersionContent } | { ok: false; problems: string[] } {
  const read = readSkill(filesOfTexts(texts))
  if (read.ok) return { ok: true, version: versionOf(read.skill) }
  return { ok: false, problems: read.problems.map(problemInFile) }
}

/** The stored content of a skill's folder. */
export function versionOf({ name, description, allowedTools, files }: SkillFolder): SkillVersionContent {
  return {
    slug: name,
    description,
    allowedTools,
    files: files.map(({ path, sizeBytes, text }) => ({ path, sizeBytes, isText: text !== null })),
    texts: Object.fromEntries(files.flatMap(({ path, text }) => (text === null ? [] : [[path, text]]))),
    contentHash: sha256(JSON.stringify(files.map(({ path, contentHash }) => [path, contentHash]))),
  }
}
