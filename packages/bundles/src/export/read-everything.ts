import type { OrganizationId } from '@troupe/contract'
import { isSameGraph } from '@troupe/operations/workflows/read-draft'
import type {
  KnowledgeBaseRecord,
  KnowledgeDocumentRecord,
  OrganizationRecord,
  Readers,
  SkillRecord,
  WorkflowRecord,
} from '@troupe/storage'
import type { FilesBeside, OpenFile } from '../archive/files-beside.ts'
import { activeGraph } from '../plan/plan-workflows.ts'
import { readSettings, type StoredOrganization } from '../resolve/stored-organization.ts'

/** The stored state of one organization that a bundle describes: every agent, team, workflow, base and skill, oldest first. */
export interface WholeOrganization extends StoredOrganization {
  organization: OrganizationRecord
  /** Newest versions. */
  skills: readonly WholeSkill[]
  knowledgeBases: readonly WholeKnowledgeBase[]
  workflows: readonly WholeWorkflow[]
}

/** A skill; `texts` is null if they are long. */
export interface WholeSkill extends SkillRecord {
  texts: Record<string, string> | null
  /** Its folder beside the bundle; null if it has none. */
  path: string | null
}

/** A workflow, and whether its draft is the published graph. */
export interface WholeWorkflow extends WorkflowRecord {
  runsDraft: boolean
}

/** A base with its documents, oldest first. */
export interface WholeKnowledgeBase extends KnowledgeBaseRecord {
  stored: readonly WholeDocument[]
}

/** A document; `text` is null unless it is a short text. */
export interface WholeDocument extends KnowledgeDocumentRecord {
  text: string | null
  /** Its file beside the bundle; null if it has none. */
  path: string | null
}

/** The contents of stored documents. */
export interface StoredContents {
  /** The text of a stored file, or null. */
  text(storageKey: string): Promise<string | null>
  open(storageKey: string): ReturnType<OpenFile>
}

const PAGE = 100
/** Bytes. */
const LONGEST_TEXT = 64 * 1024

/** The folders of an organization beside a bundle. */
interface Places {
  beside: FilesBeside
  documents: string
  skills: string
}

/** @param beside receives the contents that are too long for a bundle; null: they are omitted */
export async function readEverything(
  read: Readers,
  contents: StoredContents,
  organization: OrganizationRecord,
  beside: FilesBeside | null,
): Promise<WholeOrganization> {
  const { id } = organization
  const places = beside && {
    beside,
    documents: beside.folder('files', organization.slug),
    skills: beside.folder('skills', organization.slug),
  }
  return {
    organization,
    ...(await readSettings(read, id)),
    knowledgeBases: await everyKnowledgeBase(read, contents, id, places),
    skills: await everySkill(read, id, places),
    agents: await everyPage((page) =>
      read.agents.page(
        { organizationId: id, projectId: null },
        { status: null, projectId: null, page, limit: PAGE },
      ),
    ),
    teams: await everyPage((page) =>
      read.teams.page({ organizationId: id, projectId: null }, { projectId: null, page, limit: PAGE }),
    ),
    workflows: await everyWorkflow(read, id),
  }
}

async function everyKnowledgeBase(
  { knowledge }: Readers,
  contents: StoredContents,
  organizationId: OrganizationId,
  places: Places | null,
): Promise<WholeKnowledgeBase[]> {
  const scope = { organizationId, projectId: null }
  const bases: WholeKnowledgeBase[] = []
  for (const base of await everyPage((page) => knowledge.basePage(scope, { page, limit: PAGE }))) {
    const { id } = base
    const rows = await everyPage((page) => knowledge.documentPage(organizationId, id, { page, limit: PAGE }))
    const folder = places?.beside.folder(places.documents, base.slug ?? base.name) ?? null
    const stored: WholeDocument[] = []
    for (const row of rows) {
      const { storageKey } = row
      const text = await shortText(row, contents)
      const isBeside = text === null && storageKey !== null && places !== null && folder !== null
      const path = isBeside ? places.beside.addDocument(folder, row, () => contents.open(storageKey)) : null
      stored.push({ ...row, text, path })
    }
    bases.push({ ...base, stored })
  }
  return bases
}

async function everySkill(
  read: Readers,
  organizationId: OrganizationId,
  places: Places | null,
): Promise<WholeSkill[]> {
  const scope = { organizationId, projectId: null }
  const skills: WholeSkill[] = []
  for (const skill of await everyPage((page) => read.skills.page(scope, { page, limit: PAGE }))) {
    const bytes = skill.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    // Non-text files are not stored.
    const isText = skill.files.every((file) => file.isText)
    const isShort = bytes <= LONGEST_TEXT
    skills.push({
      ...skill,
      texts: isText && isShort ? await read.skills.texts(skill) : null,
      path: isText && !isShort && places ? besideSkill(read, skill, places) : null,
    })
  }
  return skills
}

function besideSkill(read: Readers, skill: SkillRecord, { beside, skills }: Places): string {
  const folder = beside.folder(skills, skill.slug)
  const last = skill.files.at(-1)?.path
  // The files are opened in order: the texts are read with the first one and freed with the last.
  let texts: ReturnType<Readers['skills']['texts']> | null = null
  for (const { path } of skill.files) {
    beside.add(`${folder}/${path}`, async () => {
      texts ??= read.skills.texts(skill)
      const text = (await texts)?.[path]
      if (path === last) texts = null
      return text === undefined ? null : Buffer.from(text)
    })
  }
  return folder
}

async function shortText(
  { storageKey, contentType, sizeBytes }: KnowledgeDocumentRecord,
  contents: StoredContents,
): Promise<string | null> {
  const isText = contentType === 'text/markdown' || contentType === 'text/plain'
  return storageKey !== null && isText && sizeBytes <= LONGEST_TEXT ? contents.text(storageKey) : null
}

async function everyWorkflow(read: Readers, organizationId: OrganizationId): Promise<WholeWorkflow[]> {
  const summaries = await everyPage((page) =>
    read.workflows.page({ organizationId, projectId: null }, { projectId: null, page, limit: PAGE }),
  )
  const workflows: WholeWorkflow[] = []
  for (const { id } of summaries) {
    const workflow = await read.workflows.byId(organizationId, id)
    if (!workflow) continue
    const runsDraft = isSameGraph(await activeGraph({ read }, workflow), workflow.draft)
    workflows.push({ ...workflow, runsDraft })
  }
  return workflows
}

/** All rows, oldest first, of a resource whose pages are newest first. */
async function everyPage<T extends { id: string }>(
  read: (page: number) => Promise<{ rows: T[] }>,
): Promise<T[]> {
  // Keyed by id: a row created between two pages shifts others to the next page, which repeats them.
  const all = new Map<string, T>()
  for (let page = 1, more = true; more; page += 1) {
    const { rows } = await read(page)
    for (const row of rows) all.set(row.id, row)
    more = rows.length === PAGE
  }
  return [...all.values()].reverse()
}
