import { Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { configurationQuery } from '../operation/lists.ts'
import { organizationParams } from '../operation/paths.ts'
import {
  CreateProjectBody,
  PROJECTS_PATH,
  Project,
  ProjectPage,
  projectParams,
  UpdateProjectBody,
} from './project.ts'

const ONE = `${PROJECTS_PATH}/{projectId}` as const
const { projectId: _, ...query } = configurationQuery

export const listProjectsForBuilder = defineOperation({
  id: 'listProjects',
  method: 'GET',
  path: PROJECTS_PATH,
  tag: 'Projects',
  summary: 'List projects',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object(query),
  success: { status: 200, description: 'One page of projects.', body: ProjectPage },
  errors: ['validation_error'],
})

export const createProjectForBuilder = defineOperation({
  id: 'createProject',
  method: 'POST',
  path: PROJECTS_PATH,
  tag: 'Projects',
  summary: 'Create a project',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(organizationParams),
  body: CreateProjectBody,
  success: {
    status: 201,
    description: 'The project.',
    body: Project,
    unchanged: 'The project with this id exists.',
  },
  errors: ['validation_error', 'slug_taken', 'id_taken'],
})

export const updateProjectForBuilder = defineOperation({
  id: 'updateProject',
  method: 'PUT',
  path: ONE,
  tag: 'Projects',
  summary: 'Rename a project',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(projectParams),
  body: UpdateProjectBody,
  success: { status: 200, description: 'The project.', body: Project },
  errors: ['validation_error', 'project_not_found', 'version_conflict', 'slug_taken'],
})

export const deleteProjectForBuilder = defineOperation({
  id: 'deleteProject',
  method: 'DELETE',
  path: ONE,
  tag: 'Projects',
  summary: 'Delete an empty project',
  access: 'builder',
  needs: 'manage',
  params: Type.Object(projectParams),
  success: { status: 204, description: 'Deleted.', body: Type.Null() },
  errors: ['project_not_found', 'project_in_use'],
})
