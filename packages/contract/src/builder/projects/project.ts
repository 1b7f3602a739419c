import { type Static, Type } from 'typebox'
import { Slug } from '../../bundles/bundle-fields.ts'
import { IsoTimestamp, Uuid } from '../../schema/formats.ts'
import type { ProjectId } from '../../schema/ids.ts'
import { Page } from '../../schema/page.ts'
import { StoredName } from '../../schema/shown-name.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'
import { baseVersion, SettingName } from '../organization/organization.ts'

const count = Type.Integer({ minimum: 0 })

/** The resources of a project; a project with any of them cannot be deleted. */
export const ProjectContents = Type.Object({
  agents: count,
  teams: count,
  workflows: count,
  apiKeys: count,
  llmConfigurations: count,
  credentials: count,
  mcpServers: count,
  knowledgeBases: count,
  skills: count,
  phoneTrunks: count,
  budgets: count,
})
export type ProjectContents = Static<typeof ProjectContents>

/** A project with the number of its resources. */
export const Project = Type.Object({
  projectId: Uuid<ProjectId>(),
  slug: Type.String(),
  name: Type.String(),
  version: Type.Integer({ description: 'Increases with every change.' }),
  contents: ProjectContents,
  createdAt: IsoTimestamp(),
  updatedAt: IsoTimestamp(),
})
export type Project = Static<typeof Project>
export const ProjectPage = Page(Project)

const closed = { additionalProperties: false }

export const CreateProjectBody = Type.Object(
  { id: Type.Optional(Uuid<ProjectId>()), slug: Slug, name: SettingName },
  { ...closed, examples: [{ slug: 'shop', name: 'Shop' }] },
)
export type CreateProjectBody = Static<typeof CreateProjectBody>

export const UpdateProjectBody = Type.Object(
  { slug: Type.Optional(Slug), name: Type.Optional(StoredName), version: baseVersion },
  closed,
)
export type UpdateProjectBody = Static<typeof UpdateProjectBody>

export const PROJECTS_PATH = `${ORGANIZATION_PATH}/projects` as const
export const projectParams = { ...organizationParams, projectId: Type.String() }
