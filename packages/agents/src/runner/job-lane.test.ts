import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkJob, type Death, outcomeOf, runMortally, type Script } from './testing/mortal-workers.ts'
import { SCRIPTED_TEAMS, type ScriptedTeam } from './testing/team-scripts.ts'

const agents = ['Ada', 'Ben', 'Cy'].map((name) => ({ name }))
const MOMENTS = ['after', 'before', 'logged'] as const
const death: fc.Arbitrary<Death> = fc.record({
  at: fc.nat(12),
  when: fc.constantFrom(...MOMENTS),
  redelivered: fc.boolean(),
})

function runTeam({ team, script }: ScriptedTeam, deaths: readonly Death[]) {
  return runMortally({ agents, team }, script, deaths)
}

test.each(
  Object.entries(SCRIPTED_TEAMS),
)('an undisturbed job of %s has its content, ledger and log', async (_, scripted) => {
  const calm = await runTeam(scripted, [])
  checkJob(calm)
  expect(calm.run.end).toMatchObject({ status: 'completed', content: scripted.content })
  expect(calm.calls).toBe(scripted.calls)
})

test.each(
  Object.entries(SCRIPTED_TEAMS),
)('%s: a worker that dies at any commit changes nothing', async (_, scripted) => {
  const calm = await runTeam(scripted, [])
  for (let at = 0; at < calm.commits; at += 1) {
    for (const when of MOMENTS) {
      const done = await runTeam(scripted, [{ at, when }])
      checkJob(done)
      expect({ at, when, ...outcomeOf(done) }).toEqual({ at, when, ...outcomeOf(calm) })
    }
  }
})

test.each(Object.entries(SCRIPTED_TEAMS))('%s: the next worker may die as well', async (_, scripted) => {
  const calm = await runTeam(scripted, [])
  for (let at = 0; at < calm.commits; at += 1) {
    for (const second of [0, 1]) {
      const deaths: Death[] = [
        { at, when: 'after' },
        { at: second, when: 'after', redelivered: true },
      ]
      const done = await runTeam(scripted, deaths)
      checkJob(done)
      expect({ at, second, ...outcomeOf(done) }).toEqual({ at, second, ...outcomeOf(calm) })
    }
  }
})

test.each(
  Object.entries(SCRIPTED_TEAMS),
)('%s: however many workers die, nothing changes', async (_, scripted) => {
  const calm = await runTeam(scripted, [])
  await fc.assert(
    fc.asyncProperty(fc.array(death, { minLength: 2, maxLength: 4 }), async (deaths) => {
      const done = await runTeam(scripted, deaths)
      checkJob(done)
      expect(outcomeOf(done)).toEqual(outcomeOf(calm))
    }),
    { numRuns: 40 },
  )
})

test('an agent whose worker dies before or after its step answers once', async () => {
  const script: Script = () => ({ key: 'step:0', reply: [{ text: 'Hel' }, { text: 'lo' }] })
  const alone = { agents: [{ name: 'Ada' }] }
  const calm = await runMortally(alone, script, [])
  expect([calm.run.end?.content, calm.calls, calm.commits]).toEqual(['Hello', 1, 1])
  for (const when of MOMENTS) {
    const done = await runMortally(alone, script, [{ at: 0, when }])
    checkJob(done)
    expect(outcomeOf(done)).toEqual(outcomeOf(calm))
    expect(done.calls).toBe(when === 'after' ? 1 : 2)
  }
})
