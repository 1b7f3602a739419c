import { Type } from 'typebox'
import { conditionGroup, conditionProblems, conditionTemplates } from '../definition/conditions.ts'
import { defineNode } from '../definition/node-definition.ts'
import { outputField } from '../definition/output-fields.ts'

/** Takes one of two branches. */
export const ifElse = defineNode({
  type: 'if-else',
  role: 'pure',
  title: 'If / Else',
  summary: 'Continues at "true" or "false", depending on conditions.',
  icon: 'git-branch',
  group: 'logic',
  schema: Type.Object(conditionGroup),
  handles: () => ['true', 'false'],
  outputsOf: () => outputField('branch', 'string'),
  outputOfWay: (_config, way) => ({ branch: way }),
  templates: (config) => conditionTemplates(config, ''),
  rules: (config) => conditionProblems(config, ''),
})
