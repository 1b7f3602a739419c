import { type Graph, validateGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import type { ImportedWorkflow } from '../draft/report.ts'
import { importWorkflow } from '../import-workflow.ts'
import { difyExport } from '../testing/exports.ts'

function imported(exported: unknown): ImportedWorkflow {
  const read = importWorkflow(exported)
  if (!read.ok) throw new Error(read.fault)
  return read.value
}
const stepOf = ({ nodes }: Graph, name: string) => {
  const found = nodes.find((node) => node.name === name)
  if (!found) throw new Error(`there is no ${name}: ${nodes.map((node) => node.name).join(', ')}`)
  return found
}
const serious = (graph: Graph) =>
  validateGraph(graph, NODE_TYPES).problems.filter(({ severity }) => severity !== 'warning')
const edges = ({ edges: all }: Graph) => all.map(({ id }) => id).sort()
const llm = (text: string) => ({
  prompt_template: [
    { role: 'system', text: 'You help.' },
    { role: 'user', text },
  ],
  model: { name: 'gpt-4o' },
})

test('inputs, a model, cases, templates and ends become steps that can be published', () => {
  const { graph, report } = imported(
    difyExport(
      [
        {
          id: 'start',
          type: 'start',
          data: {
            variables: [
              { variable: 'topic', type: 'text-input', required: true },
              { variable: 'count', type: 'number' },
            ],
          },
        },
        { id: 'llm', type: 'llm', data: llm('About {{#start.topic#}} {{ literal }}') },
        {
          id: 'if',
          type: 'if-else',
          data: {
            cases: [
              {
                case_id: 'true',
                logical_operator: 'and',
                conditions: [
                  { comparison_operator: 'contains', variable_selector: ['llm', 'text'], value: 'yes' },
                ],
              },
              {
                case_id: 'two',
                logical_operator: 'or',
                conditions: [{ comparison_operator: '>', variable_selector: ['start', 'count'], value: '3' }],
              },
            ],
          },
        },
        {
          id: 'tpl',
          type: 'template-transform',
          data: {
            template: 'Hi {{ who }}',
            variables: [{ variable: 'who', value_selector: ['start', 'topic'] }],
          },
        },
        {
          id: 'end1',
          type: 'end',
          data: { outputs: [{ variable: 'out', value_selector: ['tpl', 'output'] }] },
        },
        {
          id: 'end2',
          type: 'end',
          data: { outputs: [{ variable: 'out', value_selector: ['llm', 'text'] }] },
        },
        {
          id: 'n',
          type: 'note',
          data: { text: '{"root":{"children":[{"type":"paragraph","children":[{"text":"Read me"}]}]}}' },
        },
      ],
      [
        ['start', 'llm'],
        ['llm', 'if'],
        ['if', 'tpl', 'true'],
        ['if', 'end2', 'two'],
        ['if', 'end2', 'false'],
        ['tpl', 'end1'],
      ],
    ),
  )
  expect(serious(graph)).toEqual([])
  expect(stepOf(graph, 'start').config.fields).toEqual([
    { name: 'topic', type: 'string', required: true },
    { name: 'count', type: 'number', required: false },
  ])
  expect(stepOf(graph, 'llm').config).toEqual({
    system: 'You help.',
    prompt: 'About {{ trigger.topic }} \\{{ literal }}',
  })
  expect(stepOf(graph, 'tpl').config.rows).toMatchObject([
    { name: 'output', value: 'Hi {{ trigger.topic }}' },
  ])
  expect(stepOf(graph, 'end1').config.rows).toMatchObject([
    { name: 'out', value: '{{ upstream.tpl.output.output }}' },
  ])
  expect(edges(graph)).toEqual([
    'if-2:false:end2',
    'if-2:true:end2',
    'if:false:if-2',
    'if:true:tpl',
    'llm:out:if',
    'start:out:llm',
    'tpl:out:end1',
  ])
  expect(stepOf(graph, 'n').config.markdown).toBe('Read me')
  expect(report.rows).toHaveLength(7)
})

test('exclusive branches meet in a Variable in place of a variable aggregator', () => {
  const { graph } = imported(
    difyExport(
      [
        { id: 'start', type: 'start' },
        {
          id: 'sort',
          type: 'question-classifier',
          data: {
            query_variable_selector: ['sys', 'query'],
            classes: [
              { id: '1', name: 'A' },
              { id: '2', name: 'B' },
            ],
          },
        },
        { id: 'a', type: 'llm', data: llm('{{#sys.query#}}') },
        { id: 'b', type: 'llm', data: llm('{{#sys.query#}}') },
        {
          id: 'join',
          type: 'variable-aggregator',
          data: {
            variables: [
              ['a', 'text'],
              ['b', 'text'],
            ],
          },
        },
        { id: 'answer', type: 'answer', data: { answer: 'So: {{#join.output#}}' } },
      ],
      [
        ['start', 'sort'],
        ['sort', 'a', '1'],
        ['sort', 'b', '2'],
        ['a', 'join'],
        ['b', 'join'],
        ['join', 'answer'],
      ],
      { mode: 'advanced-chat' },
    ),
  )
  expect(serious(graph)).toEqual([])
  expect(validateGraph(graph, NODE_TYPES).problems.map(({ code }) => code)).not.toContain('may_be_skipped')
  const variables = graph.nodes.filter(({ type }) => type === 'variable')
  expect(variables.map(({ config }) => config.rows)).toMatchObject([
    [{ op: 'set', value: '{{ upstream.a.output }}' }],
    [{ op: 'set', value: '{{ upstream.b.output }}' }],
  ])
  const [{ name }] = variables[0]?.config.rows as [{ name: string }]
  expect(stepOf(graph, 'answer').config.rows).toMatchObject([{ value: `So: {{ variables.${name} }}` }])
})

test('an iteration is a Loop over its list, and variables of the app are set at the start', () => {
  const { graph, report } = imported(
    difyExport(
      [
        { id: 'start', type: 'start', data: { variables: [{ variable: 'items', type: 'json_object' }] } },
        {
          id: 'iter',
          type: 'iteration',
          data: { iterator_selector: ['start', 'items'], output_selector: ['each', 'text'] },
        },
        { id: 'iterstart', type: 'iteration-start', parentId: 'iter' },
        {
          id: 'each',
          type: 'llm',
          data: llm('{{#iter.item.name#}} {{#iter.index#}} {{#env.tone#}} {{#env.key#}}'),
          parentId: 'iter',
        },
        {
          id: 'end',
          type: 'end',
          data: { outputs: [{ variable: 'all', value_selector: ['iter', 'output'] }] },
        },
      ],
      [
        ['start', 'iter'],
        ['iterstart', 'each'],
        ['iter', 'end'],
      ],
      {
        workflow: {
          environment_variables: [
            { name: 'tone', value: 'kind', value_type: 'string' },
            { name: 'key', value: 'topsecretvalue', value_type: 'secret' },
          ],
        },
      },
    ),
  )
  expect(edges(graph)).toContain('iter:body:each')
  expect(stepOf(graph, 'iter').config).toEqual({ mode: 'list', source: '{{ trigger.items }}' })
  expect(stepOf(graph, 'each')).toMatchObject({
    parentId: 'iter',
    config: { prompt: '{{ loop.item.name }} {{ loop.index }} {{ variables.env_tone }} {{ dify: env.key }}' },
  })
  expect(stepOf(graph, 'end').config.rows).toMatchObject([{ value: '{{ upstream.iter.output }}' }])
  expect(JSON.stringify({ graph, report })).not.toContain('topsecretvalue')
  expect(report.rows.find(({ name }) => name === 'iterstart')).toMatchObject({
    outcome: 'part',
    nodeIds: ['iter'],
  })
})

test('code, tools, knowledge and templates with statements are stand-ins whose fields later steps name', () => {
  const { graph, report } = imported(
    difyExport(
      [
        { id: 'start', type: 'start' },
        { id: 'find', type: 'knowledge-retrieval', data: { dataset_ids: ['x'] } },
        {
          id: 'call',
          type: 'http-request',
          data: {
            authorization: { type: 'api-key', config: { api_key: 'abc.def123456' } },
            headers: 'Authorization:Token abcdef\nX:1',
            url: 'https://example.com',
          },
        },
        { id: 'code', type: 'code', data: { code: 'def main():\n  return {}' } },
        {
          id: 'tpl',
          type: 'template-transform',
          data: { template: '{% for a in b %}{{ a }}{% endfor %}', variables: [] },
        },
        {
          id: 'ask',
          type: 'llm',
          data: {
            ...llm('{{#context#}} {{#code.result#}} {{#tpl.output#}} {{#call.body#}}'),
            context: { enabled: true, variable_selector: ['find', 'result'] },
          },
        },
      ],
      [
        ['start', 'find'],
        ['find', 'call'],
        ['call', 'code'],
        ['code', 'tpl'],
        ['tpl', 'ask'],
      ],
    ),
  )
  expect(report.rows.map(({ outcome }) => outcome)).toEqual([
    'step',
    'stand_in',
    'stand_in',
    'stand_in',
    'stand_in',
    'step',
  ])
  expect(stepOf(graph, 'ask').config.prompt).toBe(
    '{{ upstream.find.output.result }} {{ upstream.code.output.result }} {{ upstream.tpl.output.output }} {{ upstream.call.output.body }}',
  )
  expect(JSON.stringify({ graph, report })).not.toMatch(/abc\.def123456|abcdef/)
  expect(serious(graph).every(({ code }) => code === 'malformed_token')).toBe(true)
})

test('entries that cannot be read are counted, and thousands of variables, repeated ids and edges take linear time', () => {
  const exported = difyExport([{ id: 'a', type: 'code' }], [['a', 'gone']])
  const { graph } = exported.workflow as { graph: { nodes: unknown[]; edges: unknown[] } }
  graph.nodes.push(5, null)
  graph.edges.push('x')
  const odd = importWorkflow(exported)
  expect(odd.ok && odd.value.report.remarks.slice(0, 2)).toEqual([
    '2 connections name nodes that the export does not have.',
    '2 entries of its list of nodes are not nodes, and are omitted.',
  ])
  const same = Array.from({ length: 2_000 }, () => ({ id: 'same', type: 'code' }))
  const read = importWorkflow(difyExport(same))
  expect(read.ok && new Set(read.value.graph.nodes.map(({ id }) => id)).size).toBe(4_000)
  const assigners = Array.from({ length: 400 }, (_, index) => ({
    id: `n${index}`,
    type: 'assigner',
    data: {
      items: Array.from({ length: 50 }, (_, at) => ({
        ...{ variable_selector: ['conversation', `v ${index} ${at}`], operation: 'set', value: 1 },
      })),
    },
  }))
  const links = assigners.slice(1).map(({ id }) => ['n0', id] as const)
  expect(importWorkflow(difyExport(assigners, links)).ok).toBe(true)
})

test('more conditions than a group has become groups, and one that cannot be read fails the run', () => {
  const cases = (count: number) => {
    const one = { comparison_operator: 'is', variable_selector: ['s', 'x'], value: '1' }
    const conditions = [...Array.from({ length: count }, () => one), 'junk']
    const data = { cases: [{ case_id: 'true', logical_operator: 'and', conditions }] }
    const read = importWorkflow(
      difyExport([
        { id: 's', type: 'start' },
        { id: 'i', type: 'if-else', data },
      ]),
    )
    if (!read.ok) throw new Error(read.fault)
    const step = read.value.graph.nodes.find(({ type }) => type === 'if-else')
    return { conditions: step?.config.conditions as Record<string, unknown>[], report: read.value.report }
  }
  const [first, second] = cases(60).conditions as unknown as { match: string; conditions: unknown[] }[]
  expect(first).toMatchObject({ match: 'all' })
  expect(first?.conditions.length).toBe(50)
  expect(second?.conditions.length).toBe(11)
  expect(second?.conditions.at(-1)).toEqual({ left: '{{ dify: unknown }}', op: 'is_true' })
  const many = cases(3_000)
  expect(many.conditions).toEqual([{ left: '{{ dify: 3001 conditions }}', op: 'is_true' }])
  expect(many.report.rows[1]?.remarks).toContain(
    'It has 3001 conditions. A step has at most 2500, so runs fail at this one.',
  )
})
