import { isPlaced } from '@troupe/editor/layout/placed-level'
import { validateGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DIFY_MAPPINGS } from './dify/import-dify.ts'
import { importWorkflow } from './import-workflow.ts'
import { N8N_MAPPINGS } from './n8n/import-n8n.ts'
import { difyExport, n8nExport } from './testing/exports.ts'

const fault = (value: unknown) => {
  const read = importWorkflow(value)
  return read.ok ? null : read.fault
}

test('a file of another form is an error with a reason', () => {
  expect(fault(null)).toBe('The file is neither a workflow of n8n nor an app of Dify.')
  expect(fault({ nodes: [], edges: [] })).toBe('The file is neither a workflow of n8n nor an app of Dify.')
  expect(fault({ nodes: [{ name: 'a' }], connections: {} })).toBe(
    'The file is neither a workflow of n8n nor an app of Dify.',
  )
  expect(fault({ nodes: [], connections: {} })).toBe('The workflow has no nodes.')
  expect(fault([n8nExport([{ name: 'a', type: 'x' }]), n8nExport([{ name: 'a', type: 'x' }])])).toBe(
    'The file has 2 workflows. Export and import them one by one.',
  )
  expect(fault({ app: { mode: 'agent-chat' } })).toBe(
    'A Dify app of the mode "agent-chat" has no workflow. Make an agent of its instructions.',
  )
  expect(fault(difyExport([]))).toBe('The app has no nodes.')
  expect(fault({ name: 'of the gallery', workflow: n8nExport([{ name: 'a', type: 'x' }]) })).toBe(null)
})

const CODE = 'return 1\n'.repeat(50)

test('2,000 nodes of code, credentials and unknown types are read, one more is refused', () => {
  const nodes = Array.from({ length: 2_000 }, (_, index) => ({
    name: `Node ${index}`,
    type:
      index % 3 === 0 ? 'n8n-nodes-base.code' : index % 3 === 1 ? 'n8n-nodes-base.set' : 'community.unknown',
    credentials: { someApi: { id: '1', name: 'x' } },
    parameters: { jsCode: CODE, values: { string: [{ name: 'a', value: '={{ $json.b }}' }] } },
  }))
  const links = nodes.slice(1).map(({ name }, index) => [`Node ${index}`, name] as const)
  const read = importWorkflow(n8nExport(nodes, links))
  expect(read.ok && read.value.report.rows.length).toBe(2_000)
  expect(fault(n8nExport([...nodes, { name: 'More', type: 'x' }]))).toBe(
    'The workflow has more than 2000 nodes.',
  )
  const apps = Array.from({ length: 2_001 }, (_, index) => ({ id: `n${index}`, type: 'code' }))
  expect(fault(difyExport(apps))).toBe('The app has more than 2000 nodes.')
})

test('a Set with thousands of dotted names, and tokens over hundreds of nodes in raw mode, take linear time', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `a.b${index}`, value: '1' }))
  const set = { name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3.4 }
  const read = importWorkflow(n8nExport([{ ...set, parameters: { assignments: { assignments: many } } }]))
  const rows = read.ok ? read.value.graph.nodes.map(({ config }) => config.rows) : []
  expect(rows.find((one) => one !== undefined)).toMatchObject([
    { name: 'a', value: { b0: '1', b19999: '1' } },
  ])
  const raw = Array.from({ length: 150 }, (_, index) => {
    const json = Array.from({ length: 60 }, (_, at) => [`k${index}_${at}`, `{{ $json.z${at} }}`])
    const jsonOutput = `=${JSON.stringify(Object.fromEntries(json))}`
    return { ...set, name: `Raw ${index}`, parameters: { mode: 'raw', includeOtherFields: true, jsonOutput } }
  })
  const links = raw.slice(1).map(({ name }, index) => [`Raw ${index}`, name] as const)
  expect(fault(n8nExport(raw, links))).toBe(null)
})

test('names that an Edit Fields cannot have make a step to replace, and a draft of too many steps is refused', () => {
  const set = (name: string) => ({
    name: 'Set',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    parameters: { assignments: { assignments: [{ name, value: '1' }] } },
  })
  for (const name of ['x'.repeat(129), `${'a.'.repeat(20)}b`]) {
    const read = importWorkflow(n8nExport([set(name)]))
    expect(read.ok && read.value.report.rows[0]?.outcome).toBe('stand_in')
  }
  const condition = { leftValue: 'a', operator: { operation: 'exists' } }
  const values = Array.from({ length: 6 }, () => ({ conditions: { conditions: [condition] } }))
  const switches = Array.from({ length: 1_700 }, (_, index) => ({
    name: `Switch ${index}`,
    type: 'n8n-nodes-base.switch',
    parameters: { rules: { values } },
  }))
  expect(fault(n8nExport(switches))).toBe('The workflow makes a draft of more than 9999 steps and Notes.')
})

test('very many remarks about one node are counted', () => {
  const value = Array.from({ length: 5_000 }, (_, index) => `{{ ${index} + 1 }}`).join('')
  const assignments = { assignments: [{ name: 'a', value: `=${value}` }] }
  const set = { name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { assignments } }
  const read = importWorkflow(n8nExport([set]))
  const remarks = read.ok ? read.value.report.rows[0]?.remarks : []
  expect(remarks?.length).toBe(101)
  expect(remarks?.at(-1)).toBe('There are 4900 more remarks like these.')
})

const word = fc.constantFrom(
  'a',
  'b',
  'text',
  '={{ $json.a }}',
  "={{ $('N1').item.json.x.y }}",
  '{{#n1.text#}}',
  '={{ 1 + 1 }}',
  '',
  '{{',
  '0 9 * * *',
  '{"a": 1}',
)
const KEYS = [
  'conditions',
  'rules',
  'values',
  'assignments',
  'fields',
  'options',
  'parameters',
  'mode',
  'operation',
  'resource',
  'messages',
  'prompt',
  'text',
  'promptType',
  'categories',
  'inputText',
  'formFields',
  'rule',
  'interval',
  'triggerTimes',
  'jsonOutput',
  'fieldToSplitOut',
  'cases',
  'classes',
  'variables',
  'outputs',
  'items',
  'prompt_template',
  'template',
  'iterator_selector',
  'loop_count',
  'loop_variables',
  'agent_parameters',
  'attributes',
  'query',
  'memory',
  'context',
  'advanced_settings',
]
const settings = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(...KEYS, 'name', 'value', 'type', 'category', 'id', 'case_id'),
        tie('value'),
        { maxKeys: 4 },
      ),
    ),
  })).value,
  { maxKeys: 6 },
)

/** Invariants for every export: every loss is reported, and the draft can be stored and mostly published. */
function holds(exported: Record<string, unknown>, names: readonly string[]): void {
  const before = JSON.stringify(exported)
  const read = importWorkflow(exported)
  expect(JSON.stringify(exported)).toBe(before)
  if (!read.ok) throw new Error(read.fault)
  const { graph, report } = read.value
  expect(report.rows.map(({ name }) => name)).toEqual(names)
  const ids = new Set(graph.nodes.map(({ id }) => id))
  for (const { outcome, nodeIds } of report.rows) {
    if (outcome !== 'part') expect(nodeIds.length).toBeGreaterThan(0)
    for (const id of nodeIds) expect(ids).toContain(id)
  }
  const { problems } = validateGraph(graph, NODE_TYPES)
  const blocking = problems.filter(
    ({ severity, path, code }) => severity === 'block' && !path.endsWith('.agentId') && code !== 'no_trigger',
  )
  expect(blocking).toEqual([])
}

const links = fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.oneof(fc.nat(2), fc.constant('ai_tool'))), {
  maxLength: 14,
})

test('each node of an n8n export is a step, a Note or a row of the report', () => {
  const types = [
    ...N8N_MAPPINGS.flatMap((mapping) => mapping.types),
    'n8n-nodes-base.code',
    'x.unknown',
    'x.fooTrigger',
    'n8n-nodes-base.stickyNote',
    'n8n-nodes-base.stopAndError',
  ]
  const node = fc.record({
    type: fc.constantFrom(...types),
    parameters: settings,
    typeVersion: fc.constantFrom(1, 2, 3, 3.4),
    disabled: fc.boolean(),
    onError: fc.constantFrom(undefined, 'continueErrorOutput'),
  })
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 8 }), links, (nodes, joined) => {
      const named = nodes.map((one, index) => ({ ...one, name: `N${index}` }))
      const known = joined.filter(([from, to]) => from < nodes.length && to < nodes.length)
      holds(
        n8nExport(
          named,
          known.map(([from, to, by]) => [`N${from}`, `N${to}`, by] as const),
        ),
        named.map(({ name }) => name),
      )
    }),
    { numRuns: 400 },
  )
})

test('each node of a Dify export is a step, a Note or a row of the report', () => {
  const types = [
    ...DIFY_MAPPINGS.flatMap((mapping) => mapping.types),
    'code',
    'tool',
    'note',
    'variable-aggregator',
    'iteration-start',
    'trigger-plugin',
    'unknown',
  ]
  const node = fc.record({ type: fc.constantFrom(...types), data: settings, parent: fc.option(fc.nat(7)) })
  const handles = fc.constantFrom('source', 'true', 'false', '1', 'fail-branch')
  fc.assert(
    fc.property(
      fc.array(node, { minLength: 1, maxLength: 8 }),
      links,
      fc.array(handles, { minLength: 14, maxLength: 14 }),
      (nodes, joined, by) => {
        const named = nodes.map(({ parent, ...one }, index) => ({
          ...one,
          id: `n${index}`,
          ...(parent !== null && parent < nodes.length && { parentId: `n${parent}` }),
        }))
        const known = joined.filter(([from, to]) => from < nodes.length && to < nodes.length)
        holds(
          difyExport(
            named,
            known.map(([from, to], index) => [`n${from}`, `n${to}`, by[index] ?? 'source'] as const),
            { mode: 'advanced-chat' },
          ),
          named.map(({ id }) => id),
        )
      },
    ),
    { numRuns: 400 },
  )
})

test('the table names a source for each row, and each type once', () => {
  for (const mappings of [N8N_MAPPINGS, DIFY_MAPPINGS]) {
    const types = mappings.flatMap((mapping) => mapping.types)
    expect(new Set(types).size).toBe(types.length)
    for (const { source } of mappings) expect(source).toMatch(/^(packages|api)\/.+\.(ts|py)$/)
  }
})

/** The remarks of the first row with this name. */
function remarksOf(exported: unknown, name: string): string[] {
  const read = importWorkflow(exported)
  if (!read.ok) throw new Error(read.fault)
  return read.value.report.rows.find((row) => row.name === name)?.remarks ?? []
}

const n8nNode = (type: string, parameters: Record<string, unknown>) =>
  n8nExport([{ name: 'One', type: `n8n-nodes-base.${type}`, parameters }])
const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
const formOf = (field: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  n8nNode('formTrigger', { formTitle: 'F', formFields: { values: [field] }, ...rest })

test.each([
  ['a sticky note of n8n', n8nNode('stickyNote', { content: 'x'.repeat(100_001) }), '100001 characters'],
  [
    'a note of Dify',
    difyExport([{ id: 'n', title: 'One', type: 'note', data: { text: 'x'.repeat(100_001) } }]),
    '100001 characters',
  ],
  [
    'options of a form',
    n8nNode('formTrigger', {
      formTitle: 'F',
      formFields: {
        values: [
          {
            fieldLabel: 'Size',
            fieldType: 'dropdown',
            fieldOptions: { values: many(501, (at) => ({ option: `o${at}` })) },
          },
        ],
      },
    }),
    '501 options of "Size", the first 500',
  ],
  [
    'schedules',
    n8nNode('scheduleTrigger', {
      rule: { interval: many(51, (at) => ({ field: 'hours', triggerAtMinute: at })) },
    }),
    '51 schedules, the first 50',
  ],
  [
    'inputs of a workflow',
    n8nNode('executeWorkflowTrigger', {
      workflowInputs: { values: many(501, (at) => ({ name: `i${at}`, type: 'string' })) },
    }),
    '501 inputs, the first 500',
  ],
  [
    'an input of an unknown type',
    n8nNode('executeWorkflowTrigger', { workflowInputs: { values: [{ name: 'blob', type: 'binary' }] } }),
    'The input "blob" is not declared',
  ],
  [
    'inputs of a Dify start',
    difyExport([
      {
        id: 's',
        title: 'One',
        type: 'start',
        data: { variables: many(501, (at) => ({ variable: `i${at}`, type: 'text-input' })) },
      },
    ]),
    '501 inputs, the first 500',
  ],
  [
    'variables of a Dify app',
    difyExport([{ id: 's', title: 'One', type: 'start' }], [], {
      workflow: {
        conversation_variables: many(101, (at) => ({ name: `v${at}`, value_type: 'string', value: '' })),
      },
    }),
    '101 variables, the first 100',
  ],
  ['a label of a form', formOf({ fieldLabel: 'L'.repeat(301), fieldName: 'a' }), 'label of "a" has 301'],
  ['a name of a field', formOf({ fieldLabel: 'L'.repeat(129) }), 'name of a field of its form has 129'],
  ['a placeholder', formOf({ fieldLabel: 'a', placeholder: 'p'.repeat(301) }), 'placeholder of "a" has 301'],
  [
    'an option',
    formOf({
      fieldLabel: 'a',
      fieldType: 'radio',
      fieldOptions: { values: [{ option: 'o'.repeat(301) }] },
    }),
    'option of "a" has 301',
  ],
  [
    'the endings of files that are no list',
    formOf({ fieldLabel: 'a', fieldType: 'file', acceptFileTypes: 'images' }),
    '"a" accepts any file: "images" is not a list of file extensions',
  ],
  [
    'the title of a form',
    formOf({ fieldLabel: 'a' }, { formTitle: 't'.repeat(201) }),
    'title of the form has 201',
  ],
  [
    'the button of a form',
    formOf({ fieldLabel: 'a' }, { options: { buttonLabel: 'b'.repeat(65) } }),
    'text of its button has 65',
  ],
  [
    'credentials of a node without a counterpart',
    n8nExport([
      {
        name: 'One',
        type: 'n8n-nodes-base.unheardOf',
        credentials: Object.fromEntries(many(21, (at) => [`c${at}`, {}])),
      },
    ]),
    '21 credentials, the first 20',
  ],
  [
    'the instructions of an agent with tools',
    n8nExport(
      [
        {
          name: 'One',
          type: '@n8n/n8n-nodes-langchain.agent',
          parameters: {
            text: 'x',
            ...Object.fromEntries(many(4, (at) => [`p${at}`, { code: 'a\n'.repeat(10_000) }])),
          },
        },
        { name: 'Tool', type: '@n8n/n8n-nodes-langchain.toolCode' },
      ],
      [['Tool', 'One', 'ai_tool']],
    ),
    'The Note beside it has',
  ],
  [
    'the name of an output of Dify',
    difyExport([
      {
        id: 'e',
        title: 'One',
        type: 'end',
        data: { outputs: [{ variable: 'v'.repeat(129), value_selector: [] }] },
      },
    ]),
    'name of an output has 129',
  ],
])('%s beyond what a draft can have are counted in the report', (_, exported, words) => {
  expect(remarksOf(exported, 'One').join(' ')).toContain(words)
})

test('the name of a node and of a workflow that is too long is counted in the report', () => {
  const long = {
    ...n8nExport([{ name: 'n'.repeat(129), type: 'n8n-nodes-base.noOp' }]),
    name: 'w'.repeat(129),
  }
  const read = importWorkflow(long)
  if (!read.ok) throw new Error(read.fault)
  const { rows, remarks } = read.value.report
  expect(rows[0]?.remarks.join(' ')).toContain('The name has 129 characters. It is truncated to 128')
  expect(remarks.join(' ')).toContain('The name of the workflow has 129 characters')
})

test('an agent with more tools than its row names counts the others', () => {
  const tools = many(22, (at) => ({ name: `Tool ${at}`, type: '@n8n/n8n-nodes-langchain.toolCode' }))
  const read = importWorkflow(
    n8nExport(
      [{ name: 'One', type: '@n8n/n8n-nodes-langchain.agent', parameters: { text: 'x' } }, ...tools],
      tools.map(({ name }) => [name, 'One', 'ai_tool'] as const),
    ),
  )
  if (!read.ok) throw new Error(read.fault)
  expect(read.value.report.choices.map(({ detail }) => detail).join(' ')).toContain('"Tool 19" and 2 more.')
})

test('fields that later steps read from a stand-in are counted when there are too many', () => {
  const exported = n8nExport(
    [
      { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
      { name: 'One', type: 'n8n-nodes-base.unheardOf' },
      {
        name: 'Set',
        type: 'n8n-nodes-base.set',
        parameters: {
          values: { string: many(201, (at) => ({ name: `f${at}`, value: `={{ $json.f${at} }}` })) },
        },
      },
    ],
    [
      ['Start', 'One'],
      ['One', 'Set'],
    ],
  )
  expect(remarksOf(exported, 'One').join(' ')).toContain('201 fields that later steps read, the first 200')
})

test('properties of an example beyond 200, and levels beyond eight, are reported', () => {
  const wide = Object.fromEntries(many(201, (at) => [`p${at}`, at]))
  let deep: unknown = { end: 1 }
  for (let level = 0; level < 9; level += 1) deep = { inner: deep }
  for (const [example, words] of [
    [wide, '201 properties of its example, the first 200'],
    [deep, 'below 8 levels'],
  ] as const) {
    const exported = n8nExport([
      {
        name: 'One',
        type: '@n8n/n8n-nodes-langchain.informationExtractor',
        parameters: { text: 'x', schemaType: 'fromJson', jsonSchemaExample: JSON.stringify(example) },
      },
    ])
    expect(remarksOf(exported, 'One').join(' ')).toContain(words)
  }
})

test('a Loop of n8n deeper than eight is reported, and its steps stay', () => {
  const names = many(10, (at) => `Loop ${at}`)
  const exported = n8nExport(
    [
      { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
      ...names.map((name) => ({ name, type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 })),
      { name: 'Innermost', type: 'n8n-nodes-base.noOp' },
    ],
    [
      ['Start', 'Loop 0'],
      ...names.slice(1).flatMap((name, at): [string, string, number][] => [
        [`Loop ${at}`, name, 1],
        [name, `Loop ${at}`, 0],
      ]),
      ['Loop 9', 'Innermost', 1],
      ['Innermost', 'Loop 9', 0],
    ],
  )
  const read = importWorkflow(exported)
  if (!read.ok) throw new Error(read.fault)
  const { graph, report } = read.value
  expect(graph.nodes.map(({ name }) => name)).toContain('Innermost')
  expect(report.rows.flatMap(({ remarks }) => remarks).join(' ')).toContain('Loops are at most 8 deep here')
})

test('sub-nodes that belong to one another become separate stand-ins', () => {
  const exported = n8nExport(
    [
      { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
      { name: 'A', type: '@n8n/n8n-nodes-langchain.toolWorkflow' },
      { name: 'B', type: '@n8n/n8n-nodes-langchain.toolWorkflow' },
      { name: 'C', type: '@n8n/n8n-nodes-langchain.toolCode' },
    ],
    [
      ['A', 'B', 'ai_tool'],
      ['B', 'A', 'ai_tool'],
      ['C', 'A', 'ai_tool'],
    ],
  )
  const read = importWorkflow(exported)
  if (!read.ok) throw new Error(read.fault)
  const rows = new Map(read.value.report.rows.map((row) => [row.name, row]))
  expect(rows.get('A')).toMatchObject({
    outcome: 'stand_in',
    nodeIds: [expect.any(String), expect.any(String)],
  })
  expect(rows.get('B')).toMatchObject({ outcome: 'stand_in' })
  // It is a part of A, so its row links to A.
  expect(rows.get('C')).toMatchObject({ outcome: 'part', nodeIds: [rows.get('A')?.nodeIds[0]] })
})

test('copied nodes of Dify are read like an app', () => {
  const { workflow } = difyExport([{ id: 'answer', title: 'One', type: 'answer', data: { answer: 'Hello' } }])
  const { nodes, edges } = (workflow as { graph: { nodes: unknown[]; edges: unknown[] } }).graph
  const read = importWorkflow({ kind: 'dify-workflow-clipboard', version: '0.6.0', nodes, edges })
  expect(read.ok && read.value.graph.nodes.map(({ type }) => type)).toEqual(['edit-fields'])
  expect(importWorkflow({ kind: 'dify-workflow-clipboard', nodes: 'x' }).ok).toBe(false)
})

test('the canvas arranges imported steps, Notes and bodies of Loops, wherever the export has them', () => {
  const n8n = n8nExport(
    [
      { name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
      { name: 'Each', type: 'n8n-nodes-base.splitInBatches' },
      { name: 'One', type: 'n8n-nodes-base.code' },
      { name: 'Two', type: 'n8n-nodes-base.set' },
    ],
    [
      ['Start', 'Each'],
      ['Each', 'One', 1],
      ['One', 'Two'],
      ['Two', 'Each'],
    ],
  )
  const dify = difyExport(
    [
      { id: 'start', type: 'start' },
      { id: 'code', type: 'code' },
      { id: 'end', type: 'end' },
    ],
    [
      ['start', 'code'],
      ['code', 'end'],
    ],
  )
  for (const value of [n8n, dify]) {
    const read = importWorkflow(value)
    if (!read.ok) throw new Error(read.fault)
    const { nodes } = read.value.graph
    expect(nodes.length).toBeGreaterThan(3)
    for (const level of Map.groupBy(nodes, ({ parentId }) => parentId).values()) {
      expect(isPlaced(level.map(({ position }) => position))).toBe(false)
    }
  }
})
