import { createReadStream } from 'node:fs'
import { normalize, sep } from 'node:path'
import { isJsonObject } from '@troupe/contract'
import type { ZipContent } from '@troupe/documents'
import type { BundleFolder } from '../read/bundle-folder.ts'
import type { BundleProblem } from '../read/problem.ts'
import { skillTexts } from '../read/skill-texts.ts'

/** A file that a bundle names, opened when it is sent. */
export interface NamedFile {
  /** Its path in the bundle, with slashes and without `./`. */
  path: string
  open(): ZipContent['content']
}

/** The files of documents and skills that a bundle names by `path`, each once. */
export async function filesNamed(
  value: unknown,
  folder: BundleFolder,
): Promise<{ files: NamedFile[]; problems: Omit<BundleProblem, 'line'>[] }> {
  const problems: Omit<BundleProblem, 'line'>[] = []
  const files = new Map<string, NamedFile>()
  const add = (path: string, open: NamedFile['open']) => files.set(path, { path, open })
  for (const { at, item } of itemsOf(value)) {
    const { path } = item
    if (typeof path !== 'string') continue
    const inArchive = normalize(path).split(sep).join('/')
    if (at.isSkill) {
      const found = await skillTexts(folder, path)
      if ('problem' in found) problems.push({ path: `${at.path}.path`, message: found.problem })
      else
        for (const [name, text] of Object.entries(found.texts))
          add(`${inArchive}/${name}`, () => Buffer.from(text))
      continue
    }
    const found = await folder(path)
    if ('problem' in found) problems.push({ path: `${at.path}.path`, message: found.problem })
    else add(inArchive, () => createReadStream(found.path))
  }
  return { files: [...files.values()], problems }
}

interface PlacedItem {
  at: { path: string; isSkill: boolean }
  item: Readonly<Record<string, unknown>>
}

/** Documents and skills of a bundle, whose other fields may be invalid. */
function* itemsOf(value: unknown): Generator<PlacedItem> {
  for (const { path, item } of listOf(value, 'organizations', '')) {
    for (const base of listOf(item, 'knowledgeBases', path)) {
      for (const document of listOf(base.item, 'documents', base.path)) {
        yield { at: { path: document.path, isSkill: false }, item: document.item }
      }
    }
    for (const skill of listOf(item, 'skills', path)) {
      yield { at: { path: skill.path, isSkill: true }, item: skill.item }
    }
  }
}

function* listOf(
  value: unknown,
  key: string,
  path: string,
): Generator<{ path: string; item: Record<string, unknown> }> {
  const list = isJsonObject(value) ? value[key] : undefined
  if (!Array.isArray(list)) return
  const prefix = path === '' ? key : `${path}.${key}`
  for (const [index, item] of list.entries()) {
    if (isJsonObject(item)) yield { path: `${prefix}.${index}`, item }
  }
}
