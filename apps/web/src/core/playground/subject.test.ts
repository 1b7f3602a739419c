import fc from 'fast-check'
import { expect, test } from 'vitest'
import { besideParam, runsParam, type Subject, subjectBody, subjectKey, subjectOfKey } from './subject.ts'

const ID = '11111111-1111-4111-8111-111111111111'

const anySubject = fc.oneof<fc.Arbitrary<Subject>[]>(
  fc.constant({ kind: 'live' }),
  fc.constant({ kind: 'draft' }),
  fc.uuid().map((versionId) => ({ kind: 'version', versionId })),
  fc.record({
    kind: fc.constant('model'),
    llmConfigId: fc.uuid(),
    modelId: fc.string({ minLength: 1, unit: 'grapheme' }),
  }),
  fc.constantFrom('handoff', 'parallel').map((mode) => ({ kind: 'mode', mode })),
)

test('a subject is read from the URL to which it was written', () => {
  fc.assert(
    fc.property(anySubject, (subject) => {
      expect(subjectOfKey(subjectKey(subject))).toEqual(subject)
    }),
  )
})

test('columns survive a round trip through the URL, at most three', () => {
  fc.assert(
    fc.property(fc.array(anySubject, { maxLength: 5 }), (subjects) => {
      expect(besideParam.read(besideParam.write(subjects))).toEqual(subjects.slice(0, 3))
    }),
  )
})

test.for([
  '',
  'mode:nonsense',
  'model:x:y',
  `model:${ID}:%E0%A4%A`,
  '__proto__',
])('“%s” is not a subject', (key) => {
  expect(subjectOfKey(key)).toBeNull()
})

test('runs keep their columns, and an invalid id is an empty one', () => {
  expect(runsParam.read(runsParam.write(['', ID, '']))).toEqual(['', ID])
  expect(runsParam.read('nonsense,../x')).toEqual(['', ''])
  expect(runsParam.write(['', ''])).toBeNull()
})

test('another model comes first and has no fallback, and all other edits stay', () => {
  const config = {
    instructions: 'Help.',
    model: { primary: { temperature: 0.2 }, fallbacks: [{ model_id: 'b' }] },
  }
  const subject = { kind: 'model', llmConfigId: ID, modelId: 'a' } as const
  expect(subjectBody(subject, { name: 'Desk', config })).toEqual({
    draft: {
      name: 'Desk',
      config: {
        instructions: 'Help.',
        model: { primary: { temperature: 0.2, llm_config_id: ID, model_id: 'a' }, fallbacks: [] },
      },
    },
  })
})

test('only handoff keeps a fallback member', () => {
  const content = { config: { mode: 'handoff', fallback_member: ID } }
  expect(subjectBody({ kind: 'mode', mode: 'parallel' }, content)).toEqual({
    draft: { config: { mode: 'parallel', fallback_member: null } },
  })
})

test('a version and the live content send no content', () => {
  expect(subjectBody({ kind: 'version', versionId: ID }, { config: {} })).toEqual({ versionId: ID })
  expect(subjectBody({ kind: 'live' }, { config: {} })).toEqual({})
})
