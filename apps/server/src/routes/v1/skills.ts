import { readFile } from 'node:fs/promises'
import multipart from '@fastify/multipart'
import { DomainError, MAX_SKILL_BYTES, OPERATIONS } from '@troupe/contract'
import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { registerOperation } from '@troupe/http/operation'
import { receiveUpload } from '@troupe/http/receive-upload'
import type { App } from '@troupe/http/server-types'
import { checkSkillBase, type SkillBase } from '@troupe/operations/resources/check-skill-base'
import { deleteSkill } from '@troupe/operations/skills/delete-skill'
import { getSkill, listSkills } from '@troupe/operations/skills/read-skills'
import { filesOfTexts, filesOfZip } from '@troupe/operations/skills/skill-files'
import { uploadSkill } from '@troupe/operations/skills/upload-skill'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../wiring/context.ts'
import { callerOf, scopeOfList } from '../callers/caller-of.ts'

/** Dependencies of the routes of skills. */
export type SkillRoutes = Pick<Context, 'database' | 'newId' | 'knowledge' | 'heavy'>

type Surface = typeof OPERATIONS | typeof BUILDER_OPERATIONS

/** Skills, for callers of the public API and members. */
export function registerSkills(app: App, parts: SkillRoutes): void {
  for (const operations of [OPERATIONS, BUILDER_OPERATIONS]) registerOn(app, parts, operations)
}

function registerOn(app: App, { database, newId, knowledge, heavy }: SkillRoutes, operations: Surface): void {
  const { read } = database
  registerOperation(app, operations.listSkills, (call) => listSkills(read, scopeOfList(call), call.query))
  registerOperation(app, operations.getSkill, (call) =>
    getSkill(read, callerOf(call).scope, call.params.skillId),
  )
  registerOperation(app, operations.deleteSkill, async (call) => {
    await deleteSkill({ database }, callerOf(call).scope, callerOf(call).actor, call.params.skillId)
    return null
  })
  // A separate scope: only this route accepts archives, beside JSON.
  app.register(async (scope) => {
    scope.register(multipart)
    registerOperation(
      scope,
      operations.uploadSkill,
      async (call, reply) => {
        const { request, body } = call
        const { scope: owner, actor } = callerOf(call)
        // The builder sends the base of an upload: in the body, or for an archive in the query.
        const { skillId, baseVersion, mustBeNew }: SkillBase & typeof body = { ...call.query, ...body }
        const { files = {}, projectId } = body ?? {}
        const given = request.isMultipart()
          ? {
              files: await filesOfZip(heavy, owner.organizationId, await archiveOf(request, knowledge)),
              projectId: scopeOfList(call).projectId,
            }
          : { files: filesOfTexts(files), projectId }
        const check = checkSkillBase({ skillId, baseVersion, mustBeNew })
        const { skill, added } = await uploadSkill({ database, newId }, owner, actor, given, check)
        if (!added) reply.statusCode = 200
        return skill
      },
      { ignoredForProjectKeys: ['projectId'] },
    )
  })
}

async function archiveOf(
  request: FastifyRequest,
  { incoming }: Pick<SkillRoutes['knowledge'], 'incoming'>,
): Promise<Buffer> {
  const received = await receiveUpload(request, {
    incoming,
    maxBytes: MAX_SKILL_BYTES,
    nameOf: (sent) => sent,
    rejected: (reason, cause) =>
      cause === undefined
        ? new DomainError(
            'payload_too_large',
            `${reason} A skill may have at most ${MAX_SKILL_BYTES / 1024 / 1024} MB.`,
          )
        : new DomainError('storage_unavailable', reason, { cause }),
  })
  await using file = received.file
  return await readFile(file.path)
}
