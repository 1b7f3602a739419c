import type { DeclaredField, FormAnswer, NodeType, NodeTypes, TemplateField } from '../model/node-types.ts'

type Config = Record<string, unknown>

const fields = (config: Config, ...keys: string[]): TemplateField[] =>
  keys.filter((key) => config[key] !== undefined).map((key) => ({ path: key, value: config[key] }))
const out = () => ['out']
const effect: NodeType = {
  role: 'effect',
  handles: out,
  templates: (config) => fields(config, 'message', 'prompt', 'text'),
  references: (config) =>
    typeof config.agentId === 'string' ? [{ kind: 'agent', id: config.agentId, path: 'agentId' }] : [],
}

/** Minimal node types for the tests of the graph. */
export const TEST_NODE_TYPES: NodeTypes = new Map<string, NodeType>([
  ['manual-trigger', { role: 'trigger', trigger: 'manual', handles: out }],
  [
    'http-request',
    {
      role: 'trigger',
      trigger: 'http',
      handles: out,
      fields: (config) => (config.fields as DeclaredField[] | undefined) ?? [],
    },
  ],
  [
    'form-trigger',
    {
      role: 'trigger',
      trigger: 'form',
      handles: out,
      answers: (config) => (config.answers as FormAnswer[] | undefined) ?? [],
    },
  ],
  ['recurrence', { role: 'trigger', trigger: 'recurrence', handles: out }],
  ['ai-agent', effect],
  ['team-step', effect],
  ['ai-prompt', effect],
  [
    'classify',
    { ...effect, handles: (config) => [...((config.classes as string[] | undefined) ?? []), 'other'] },
  ],
  ['human-review', { ...effect, handles: () => ['approved', 'rejected'] }],
  ['if-else', { role: 'pure', handles: () => ['true', 'false'] }],
  [
    'variable',
    {
      role: 'pure',
      handles: out,
      writes: (config) => (config.names as string[] | undefined) ?? [],
      templates: (config) => fields(config, 'value'),
    },
  ],
  [
    'edit-fields',
    {
      role: 'pure',
      handles: out,
      templates: (config) => [
        ...fields(config, 'value'),
        ...fields(config, 'tests').map((field) => ({ ...field, testsValue: true })),
        ...fields(config, 'tested').map((field) => ({ ...field, mayBeMissing: true })),
      ],
      check: (config) =>
        config.keepOnlySet === false
          ? [{ severity: 'error', code: 'keep_only_set', path: 'keepOnlySet', message: 'must be on' }]
          : [],
    },
  ],
  [
    'loop',
    {
      role: 'loop',
      handles: () => ['body', 'done'],
      repeatsWhile: (config) => config.mode === 'while',
      templates: (config) => [
        ...fields(config, 'source', 'count'),
        ...fields(config, 'condition').map((field) => ({ ...field, ownIterations: true })),
      ],
    },
  ],
  ['note', { role: 'note', handles: () => [] }],
])
