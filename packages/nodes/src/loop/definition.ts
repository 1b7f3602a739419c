import { isWholeToken, type TemplateField } from '@troupe/graph'
import { Type } from 'typebox'
import { conditionField, conditionProblems, conditionTemplates } from '../definition/conditions.ts'
import { OneOf, Value } from '../definition/fields.ts'
import { defineNode } from '../definition/node-definition.ts'
import { blockingProblem } from '../definition/problems.ts'

const MODES = ['list', 'count', 'while'] as const

/** The key that a mode reads. */
const KEY = { list: 'source', count: 'count', while: 'condition' } as const

function modeOf({ mode }: Record<string, unknown>) {
  return MODES.find((known) => known === mode)
}

function isCount(value: unknown): boolean {
  if (typeof value === 'string') return isWholeToken(value)
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

/** Repeats its body. */
export const loop = defineNode({
  type: 'loop',
  role: 'loop',
  title: 'Loop',
  summary: 'Repeats its body for each item of a list, a number of times, or while a condition holds.',
  icon: 'repeat',
  group: 'logic',
  schema: Type.Object({
    mode: OneOf(
      {
        list: 'For each item of a list',
        count: 'A number of times',
        while: 'While a condition holds',
      },
      { title: 'Repeat', description: 'The steps of its body run once each time.' },
    ),
    source: Type.Optional(
      Value({ title: 'List', form: { control: 'text', when: { key: 'mode', is: ['list'] } } }),
    ),
    count: Type.Optional(
      Value({
        title: 'Times',
        description: 'A whole number, or a token such as {{ trigger.count }}.',
        form: { control: 'number-or-token', when: { key: 'mode', is: ['count'] } },
      }),
    ),
    condition: Type.Optional(conditionField({ key: 'mode', is: ['while'] })),
  }),
  handles: () => ['body', 'done'],
  repeatsWhile: (config) => modeOf(config) === 'while',
  templates: (config): TemplateField[] => {
    const mode = modeOf(config)
    if (!mode) return []
    if (mode === 'while') {
      return conditionTemplates(config.condition, 'condition').map((field) => ({
        ...field,
        ownIterations: true,
      }))
    }
    const value = config[KEY[mode]] ?? null
    return value === null ? [] : [{ path: KEY[mode], value }]
  },
  rules: (config) => {
    const mode = modeOf(config)
    if (!mode) return []
    const value = config[KEY[mode]] ?? null
    if (value === null || value === '') {
      return [blockingProblem(KEY[mode], `is required when the mode is ${mode}`)]
    }
    if (mode === 'count' && !isCount(value)) {
      return [
        blockingProblem(
          'count',
          'must be a whole number of at least 0, or a single token that resolves to one',
        ),
      ]
    }
    return mode === 'while' ? conditionProblems(value, 'condition') : []
  },
})
