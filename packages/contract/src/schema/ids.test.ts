import { expect, expectTypeOf, test } from 'vitest'
import { AgentId, checkedId, type Id, lowerUuid, newId, parseId, RUNNABLE_IDS, TeamId } from './ids.ts'

const TEXT = '0B9C2A44-6D0E-4C7B-9A51-3D3F1C2B7E10'

test('an id of one kind is refused for another, and plain text for each', () => {
  expectTypeOf(parseId(AgentId, TEXT)).toEqualTypeOf<AgentId | null>()
  expectTypeOf(checkedId(TeamId, TEXT)).toEqualTypeOf<TeamId>()
  expectTypeOf(newId(AgentId)).toEqualTypeOf<AgentId>()
  expectTypeOf<AgentId>().not.toExtend<TeamId>()
  expectTypeOf<string>().not.toExtend<AgentId>()
  expectTypeOf<AgentId>().toExtend<string>()
})

test('a kind that is only known at run time makes an id of one of the kinds', () => {
  const kind = 'team' as 'agent' | 'team'
  expectTypeOf(newId(RUNNABLE_IDS[kind].id)).toEqualTypeOf<AgentId | TeamId>()
  expectTypeOf<Id<'agent' | 'team'>>().not.toExtend<AgentId>()
})

test('a UUID in a text from outside is read in lower case, and any other text is not an id', () => {
  expect(parseId(AgentId, TEXT)).toBe(TEXT.toLowerCase())
  expect(lowerUuid(TEXT)).toBe(TEXT.toLowerCase())
  for (const text of ['', 'agent', `${TEXT} `, TEXT.slice(1), `{${TEXT}}`]) {
    expect(parseId(AgentId, text)).toBeNull()
    expect(lowerUuid(text)).toBeNull()
    expect(() => checkedId(AgentId, text)).toThrow(`not an id of the kind agent: ${JSON.stringify(text)}`)
  }
})
