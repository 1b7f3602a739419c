import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { type BuilderHandler, handler } from '../handlers/handler.ts'
import { type ChangeProjectParts, createProject, deleteProject, updateProject } from './change-project.ts'
import { listProjects } from './list-projects.ts'
import { moveThings } from './move-things.ts'

/** Projects of the organization. */
export function projectHandlers(parts: ChangeProjectParts): BuilderHandler[] {
  const op = BUILDER_OPERATIONS
  return [
    handler(op.listProjects, ({ caller, query }) => listProjects(parts.database.read, caller, query)),
    handler(op.createProject, ({ caller, body }) => createProject(parts, caller, body)),
    handler(op.updateProject, ({ caller, params, body }) =>
      updateProject(parts, caller, params.projectId, body),
    ),
    handler(op.moveThings, ({ caller, body }) => moveThings(parts, caller, body)),
    handler(op.deleteProject, async ({ caller, params }) => {
      await deleteProject(parts, caller, params.projectId)
      return null
    }),
  ]
}
