import { expect, test } from 'vitest'
import { SCRIPTED_TEAMS } from '../runner/testing/team-scripts.ts'
import { RunKit, teamId } from '../testing/run-kit.ts'

// A kit gives every run the same frozen snapshots, as a catalog does: a write to one of them throws.
test.each(
  Object.entries(SCRIPTED_TEAMS),
)('%s: a run does not change the configuration that it shares with other runs', async (_, scripted) => {
  const done = new Set<string>()
  await using kit = new RunKit({
    agents: ['Ada', 'Ben', 'Cy'].map((name) => ({ name })),
    team: scripted.team,
    respond(call) {
      const { key, reply } = scripted.script(call, done)
      done.add(key)
      return reply
    },
  })
  const { catalog } = kit.process()
  const team = await catalog.team(kit.request().scope.organizationId, teamId)
  expect([team?.config, team?.config.limits].every(Object.isFrozen)).toBe(true)
  expect(await kit.run()).toMatchObject({ content: scripted.content })
})
