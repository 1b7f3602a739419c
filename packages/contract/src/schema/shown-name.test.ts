import { expect, test } from 'vitest'
import { AgentName } from '../agents/agent.ts'
import { title } from '../bundles/bundle-fields.ts'
import { knowledgeBaseFields } from '../knowledge/knowledge-base.ts'
import { validator } from '../validation/validator.ts'
import { ShownName } from './shown-name.ts'

const BLANK = [
  ' ',
  '\t\n',
  '\u00a0',
  '\u200b',
  '\u200b \u2060',
  '\ufeff',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\u200e\u200f',
  '\u0085',
]
const SHOWN = ['A', ' a ', '\u200bA', '7', '日本', '🙂', '-', 'نص', '\u200f\u05d0']

test.each([
  ['a team, a workflow, a setting', ShownName],
  ['an agent', AgentName],
  ['a knowledge base', knowledgeBaseFields.name],
])('the name of %s has a visible character', (_what, schema) => {
  const check = validator(schema)
  for (const name of BLANK) expect(check(name).ok, JSON.stringify(name)).toBe(false)
  for (const name of SHOWN) expect(check(name).ok, name).toBe(true)
})

// A bundle from an earlier version can still be applied.
test('an entry of a bundle may have a stored invisible name', () => {
  const check = validator(title)
  for (const name of [...BLANK, ...SHOWN]) expect(check(name).ok, JSON.stringify(name)).toBe(true)
  expect(check('').ok).toBe(false)
})
