import { setTimeout as pause } from 'node:timers/promises'
import { newId, SkillId } from '@troupe/contract'
import { expect, test } from 'vitest'
import { BUILDER } from '../teams/testing/open-teams.ts'
import { twoProcesses } from '../teams/testing/two-processes.ts'
import { deleteSkill } from './delete-skill.ts'

test('a deletion that waits for an upload of the next version deletes the skill', async ({ skip }) => {
  await using processes = await twoProcesses()
  if (!processes) return skip()
  const { one, two, teams } = processes
  const { scope } = teams
  const version = (contentHash: string) => ({
    ...{ id: newId(SkillId), organizationId: scope.organizationId, projectId: null, slug: 'refunds' },
    ...{ description: 'Refunds.', allowedTools: null, files: [], texts: {}, contentHash },
  })
  const { skill } = await one.transaction(({ write }) => write.skills.add(version('1')))
  let deleted: Promise<void> = Promise.resolve()
  await one.transaction(async ({ write }) => {
    await write.skills.add(version('2'))
    deleted = deleteSkill({ database: two }, scope, BUILDER, skill.id)
    await Promise.race([deleted, pause(250)])
  })
  await deleted
  expect(await one.read.skills.byId(scope.organizationId, skill.id)).toBeNull()
})
