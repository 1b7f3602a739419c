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
