import {
  checkedId,
  DomainError,
  type IdText,
  type NewId,
  ProjectId,
  parseId,
  typedKeys,
} from '@troupe/contract'
import type { CreateProjectBody, Project, UpdateProjectBody } from '@troupe/contract/builder'
import type { Database, ProjectRow, Readers } from '@troupe/storage'
import type { BuilderCaller } from '../access/builder-caller.ts'
import { projectNotFound } from '../access/require-project.ts'
import { auditedProject } from '../audit/audited-settings.ts'
import type { ConfigChanges } from '../catalog/config-changes.ts'
import { requireVersion } from '../changes/require-version.ts'
import { namingTaken } from '../changes/unique-violation.ts'
import { Unchanged } from '../handlers/handler.ts'
import { requireShownName } from '../names/require-shown-name.ts'
import { presentProject } from './list-projects.ts'

/** Dependencies of the operations. */
export interface ChangeProjectParts {
  database: Pick<Database, 'read' | 'transaction'>
  configChanges: ConfigChanges
  newId: NewId
}

/** @throws DomainError `slug_taken` or `id_taken` */
export async function createProject(
  { database, configChanges, newId }: ChangeProjectParts,
  { organizationId, actor }: BuilderCaller,
  { id: given, slug, name }: CreateProjectBody,
): Promise<Project | Unchanged<Project>> {
  const id: ProjectId = given === undefined ? newId(ProjectId) : checkedId(ProjectId, given.toLowerCase())
  const created = await database.transaction(async ({ read, write }) => {
    // Of two requests with one id, the second finds the project of the first.
    await write.organizations.lock(organizationId)
    const existing = given === undefined ? null : await read.builder.projects.byId(organizationId, id)
    if (existing) return new Unchanged(presentProject(existing))
    await namingTaken(write.projects.insert({ id, organizationId, slug, name }))
    await write.audit.append({
      organizationId,
      projectId: id,
      actor,
      action: 'project.created',
      entityKind: 'project',
      entityId: id,
      before: null,
      after: auditedProject({ slug, name }),
    })
    return presentProject(await findProject(read, organizationId, id))
  })
  configChanges.committed(organizationId)
  return created
}

/** @throws DomainError `project_not_found`, `version_conflict` or `slug_taken` */
export async function updateProject(
  { database, configChanges }: ChangeProjectParts,
  caller: BuilderCaller,
  projectId: IdText<ProjectId>,
  { slug, name, version }: UpdateProjectBody,
): Promise<Project> {
  const { organizationId, actor } = caller
  const updated = await database.transaction(async ({ read, write }) => {
    await write.organizations.lock(organizationId)
    const before = await findProject(read, organizationId, projectId)
    await requireVersion(read, caller, { kind: 'project', ...before }, version)
    requireShownName(name, before)
    const after = { slug: slug ?? before.slug, name: name ?? before.name }
    if (after.slug === before.slug && after.name === before.name) return presentProject(before)
    await namingTaken(write.projects.put({ id: before.id, organizationId, ...after }))
    await write.audit.append({
      organizationId,
      projectId: before.id,
      actor,
      action: 'project.updated',
      entityKind: 'project',
      entityId: before.id,
      before: auditedProject(before),
      after: auditedProject(after),
    })
    return presentProject(await findProject(read, organizationId, before.id))
  })
  configChanges.committed(organizationId)
  return updated
}

/** @throws DomainError `project_not_found`, or `project_in_use` naming its contents */
export async function deleteProject(
  { database, configChanges }: ChangeProjectParts,
  { organizationId, actor }: BuilderCaller,
  projectId: IdText<ProjectId>,
): Promise<void> {
  await database.transaction(async ({ read, write }) => {
    const { id } = await findProject(read, organizationId, projectId)
    // Concurrent additions to the project commit before they are counted.
    if (!(await write.projects.lock(organizationId, id))) throw projectNotFound()
    const before = await findProject(read, organizationId, id)
    const left = typedKeys(before.contents).filter((kind) => before.contents[kind] > 0)
    if (left.length > 0) {
      const kinds = left.map((kind) => counted(before.contents[kind], WORDS[kind])).join(', ')
      throw new DomainError('project_in_use', `The project still has ${kinds}.`)
    }
    await write.projects.delete(organizationId, id)
    await write.audit.append({
      organizationId,
      projectId: id,
      actor,
      action: 'project.deleted',
      entityKind: 'project',
      entityId: id,
      before: auditedProject(before),
      after: null,
    })
  })
  configChanges.committed(organizationId)
}

/** Singular of each kind. */
const WORDS: Readonly<Record<keyof ProjectRow['contents'], string>> = {
  agents: 'agent',
  teams: 'team',
  workflows: 'workflow',
  apiKeys: 'API key',
  llmConfigurations: 'LLM configuration',
  credentials: 'credential',
  mcpServers: 'MCP server',
  knowledgeBases: 'knowledge base',
  skills: 'skill',
  phoneTrunks: 'phone trunk',
  budgets: 'budget',
}

/** "1 agent", "2 agents". */
const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

async function findProject(
  { builder }: Pick<Readers, 'builder'>,
  organizationId: BuilderCaller['organizationId'],
  projectId: IdText<ProjectId>,
): Promise<ProjectRow> {
  const id = parseId(ProjectId, projectId)
  const found = id && (await builder.projects.byId(organizationId, id))
  if (!found) throw projectNotFound()
  return found
}
