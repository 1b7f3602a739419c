import { type Graph, tokenize, validateGraph } from '@troupe/graph'
import { NODE_TYPES } from '@troupe/nodes/definitions'
import { expect, test } from 'vitest'
import type { ImportedWorkflow } from '../draft/report.ts'
import { importWorkflow } from '../import-workflow.ts'
import { n8nExport } from '../testing/exports.ts'

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
const findings = (graph: Graph) => validateGraph(graph, NODE_TYPES).problems
const edges = ({ edges: all }: Graph) => all.map(({ id }) => id).sort()

const base = (type: string) => `n8n-nodes-base.${type}`
const ai = (type: string) => `@n8n/n8n-nodes-langchain.${type}`
const filter = (left: string, operation: string, right: unknown = '') => ({
  combinator: 'and',
  options: { caseSensitive: true },
  conditions: [{ leftValue: left, rightValue: right, operator: { type: 'string', operation } }],
})

test('a triage by webhook becomes one that can be published', () => {
  const { graph, report, name } = imported(
    n8nExport(
      [
        { name: 'Webhook', type: base('webhook'), parameters: { httpMethod: 'POST' } },
        {
          name: 'Kind',
          type: ai('textClassifier'),
          parameters: {
            inputText: '={{ $json.body.text }}',
            categories: {
              categories: [{ category: 'Refund', description: 'Money back' }, { category: 'Bug' }],
            },
            options: { fallback: 'other' },
          },
        },
        {
          name: 'Urgent?',
          type: base('if'),
          typeVersion: 2.2,
          parameters: { conditions: filter("={{ $('Webhook').item.json.body.plan }}", 'equals', 'gold') },
        },
        {
          name: 'Answer',
          type: ai('chainLlm'),
          typeVersion: 1.5,
          parameters: { promptType: 'define', text: '=Answer {{ $json.body.name }}: {{ $json.body.text }}' },
        },
        {
          name: 'Result',
          type: base('set'),
          typeVersion: 3.4,
          parameters: {
            assignments: {
              assignments: [
                { name: 'reply', type: 'string', value: '={{ $json.text }}' },
                { name: 'meta.count', type: 'number', value: '3' },
              ],
            },
          },
        },
        { name: 'Later', type: base('noOp') },
        { name: 'OpenAI', type: ai('lmChatOpenAi'), parameters: { model: 'gpt-4o' } },
        { name: 'Sticky', type: base('stickyNote'), parameters: { content: '## Hello' } },
      ],
      [
        ['Webhook', 'Kind'],
        ['Kind', 'Urgent?', 0],
        ['Kind', 'Later', 2],
        ['Urgent?', 'Answer', 0],
        ['Urgent?', 'Later', 1],
        ['Answer', 'Result'],
        ['OpenAI', 'Answer', 'ai_languageModel'],
      ],
    ),
  )
  expect(name).toBe('Exported')
  expect(findings(graph).filter(({ severity }) => severity !== 'warning')).toEqual([])
  expect(stepOf(graph, 'Kind').config).toMatchObject({ text: '{{ trigger.body.text }}', includeOther: true })
  expect(stepOf(graph, 'Urgent?').config).toEqual({
    match: 'all',
    conditions: [{ left: '{{ trigger.body.plan }}', op: 'eq', right: 'gold' }],
  })
  expect(stepOf(graph, 'Answer').config.prompt).toBe(
    'Answer {{ trigger.body.name }}: {{ trigger.body.text }}',
  )
  expect(stepOf(graph, 'Result').config.rows).toEqual([
    { name: 'reply', value: '{{ upstream.answer.output }}', mode: 'expression' },
    { name: 'meta', value: { count: 3 }, mode: 'expression' },
  ])
  expect(edges(graph)).toEqual([
    'answer:out:result',
    'kind:class-1:urgent',
    'kind:other:later',
    'urgent:false:later',
    'urgent:true:answer',
    'webhook:out:kind',
  ])
  expect(report.rows.map(({ outcome }) => outcome)).toEqual([
    'step',
    'step',
    'step',
    'step',
    'step',
    'step',
    'part',
    'note',
  ])
  expect(report.rows[6]?.nodeIds).toEqual(['answer'])
  expect(report.choices.find(({ name: of }) => of === 'Answer')?.detail).toContain('gpt-4o')
})

test('nodes without a counterpart keep their place, name the original, and fail runs until they are replaced', () => {
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Start', type: base('manualTrigger') },
        {
          name: 'Orders',
          type: base('httpRequest'),
          parameters: {
            url: 'https://example.com',
            headerParameters: { parameters: [{ name: 'Authorization', value: 'Bearer abcdefgh12345678' }] },
          },
          credentials: { httpHeaderAuth: { id: '1', name: 'Shop' } },
        },
        { name: 'Code', type: base('code'), parameters: { jsCode: 'const a = 1\nreturn "```"' } },
        {
          name: 'Use',
          type: base('set'),
          typeVersion: 3.4,
          parameters: {
            assignments: {
              assignments: [
                { name: 'x', value: "={{ $('Orders').item.json.total }}", type: 'string' },
                { name: 'y', value: '={{ $json.sum * 2 }}', type: 'string' },
              ],
            },
          },
        },
      ],
      [
        ['Start', 'Orders'],
        ['Orders', 'Code'],
        ['Code', 'Use'],
      ],
    ),
  )
  expect(edges(graph)).toEqual(['code:out:use', 'orders:out:code', 'start:out:orders'])
  expect(stepOf(graph, 'Orders').config.rows).toEqual([
    { name: 'total', value: '{{ n8n: "total" of Orders }}', mode: 'expression' },
  ])
  expect(stepOf(graph, 'Use').config.rows).toMatchObject([
    { value: '{{ upstream.orders.output.total }}' },
    { value: '{{ n8n: $json.sum * 2 }}' },
  ])
  const about = String(stepOf(graph, 'About Orders').config.markdown)
  expect(about).toContain('- url: https://example.com')
  expect(JSON.stringify({ graph, report })).not.toContain('abcdefgh12345678')
  expect(stepOf(graph, 'About Code').config.markdown).toContain('````js\nconst a = 1\nreturn "```"\n````')
  expect(findings(graph).map(({ severity, code, nodeId }) => [severity, code, nodeId])).toEqual([
    ['error', 'malformed_token', 'orders'],
    ['error', 'malformed_token', 'code'],
    ['error', 'malformed_token', 'use'],
  ])
  expect(report.rows.map(({ outcome }) => outcome)).toEqual(['step', 'stand_in', 'stand_in', 'step'])
  expect(report.choices).toEqual([
    {
      kind: 'credential',
      nodeId: 'orders',
      name: 'Orders',
      detail: 'It used a credential of the type httpHeaderAuth.',
    },
  ])
})

test('Split In Batches becomes a Loop with the cycle as its body, including one in another', () => {
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Start', type: base('manualTrigger') },
        { name: 'Split', type: base('splitOut'), parameters: { fieldToSplitOut: 'orders' } },
        { name: 'Outer', type: base('splitInBatches'), typeVersion: 3 },
        { name: 'Inner', type: base('splitInBatches'), typeVersion: 3 },
        {
          name: 'Line',
          type: base('set'),
          typeVersion: 3.4,
          parameters: { assignments: { assignments: [{ name: 'sku', value: '={{ $json.sku }}' }] } },
        },
        { name: 'Log', type: base('noOp') },
        { name: 'Done', type: base('noOp') },
      ],
      [
        ['Start', 'Split'],
        ['Split', 'Outer'],
        ['Outer', 'Inner', 1],
        ['Inner', 'Line', 1],
        ['Line', 'Inner'],
        ['Line', 'Log'],
        ['Inner', 'Outer', 0],
        ['Outer', 'Done', 0],
      ],
    ),
  )
  expect(Object.fromEntries(graph.nodes.map(({ id, parentId }) => [id, parentId]))).toEqual({
    start: null,
    split: null,
    outer: null,
    inner: 'outer',
    line: 'inner',
    log: 'inner',
    done: null,
  })
  expect(edges(graph)).toEqual([
    'inner:body:line',
    'line:out:log',
    'outer:body:inner',
    'outer:done:done',
    'split:out:outer',
    'start:out:split',
  ])
  expect(stepOf(graph, 'Outer').config).toEqual({ mode: 'list', source: '{{ upstream.split.output.items }}' })
  expect(stepOf(graph, 'Line').config.rows).toMatchObject([{ name: 'sku', value: '{{ loop.item.sku }}' }])
  expect(report.connections).toEqual([])
  expect(findings(graph)).toEqual([])
})

test('a Loop iterates over the input from outside its cycle, in any order of the export', () => {
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Start', type: base('manualTrigger') },
        { name: 'Split', type: base('splitOut'), parameters: { fieldToSplitOut: 'orders' } },
        { name: 'Check', type: base('noOp') },
        { name: 'Log', type: base('noOp') },
        { name: 'Each', type: base('splitInBatches'), typeVersion: 3 },
      ],
      [
        ['Start', 'Split'],
        ['Check', 'Each'],
        ['Log', 'Each'],
        ['Split', 'Each'],
        ['Each', 'Check', 1],
        ['Each', 'Log', 1],
      ],
    ),
  )
  expect(stepOf(graph, 'Each').config).toEqual({ mode: 'list', source: '{{ upstream.split.output.items }}' })
  const row = report.rows.find(({ name }) => name === 'Each')
  expect(row?.remarks).toEqual([
    'It iterated over its input. The Loop iterates over {{ upstream.split.output.items }}, which must be a list.',
  ])
  expect(findings(graph)).toEqual([])
})

test('a node that usually becomes a step has the reason if it did not', () => {
  const { report } = imported(
    n8nExport(
      [
        { name: 'Start', type: base('manualTrigger') },
        { name: 'Join', type: base('itemLists'), parameters: { operation: 'concatenateItems' } },
        { name: 'Mail', type: base('gmail') },
      ],
      [
        ['Start', 'Join'],
        ['Join', 'Mail'],
      ],
    ),
  )
  expect(report.rows.map(({ outcome, remarks }) => [outcome, remarks])).toEqual([
    ['step', []],
    ['stand_in', [expect.stringContaining('settings without a counterpart')]],
    ['stand_in', []],
  ])
})

test('a cycle without a Loop is opened at its back edge, and reported', () => {
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Start', type: base('manualTrigger') },
        { name: 'Poll', type: base('httpRequest') },
        {
          name: 'Ready?',
          type: base('if'),
          typeVersion: 2,
          parameters: { conditions: filter('={{ $json.state }}', 'equals', 'done') },
        },
        { name: 'Wait', type: base('wait') },
        { name: 'Go', type: base('noOp') },
      ],
      [
        ['Start', 'Poll'],
        ['Poll', 'Ready?'],
        ['Ready?', 'Go', 0],
        ['Ready?', 'Wait', 1],
        ['Wait', 'Poll'],
      ],
    ),
  )
  expect(report.connections).toEqual([
    { from: 'Wait', to: 'Poll', reason: 'it closes a cycle; make a Loop of the steps that repeat' },
  ])
  expect(findings(graph).filter(({ code }) => code === 'unreachable_node')).toEqual([])
})

test('a Switch is a chain of If / Else, and its fallback is the last else', () => {
  const rule = (value: string) => ({ conditions: filter('={{ $json.body.kind }}', 'equals', value) })
  const { graph } = imported(
    n8nExport(
      [
        { name: 'Webhook', type: base('webhook') },
        {
          name: 'Route',
          type: base('switch'),
          typeVersion: 3.2,
          parameters: { rules: { values: [rule('a'), rule('b')] }, options: { fallbackOutput: 'extra' } },
        },
        { name: 'A', type: base('noOp') },
        { name: 'B', type: base('noOp') },
        { name: 'C', type: base('noOp') },
      ],
      [
        ['Webhook', 'Route'],
        ['Route', 'A', 0],
        ['Route', 'B', 1],
        ['Route', 'C', 2],
      ],
    ),
  )
  expect(edges(graph)).toEqual([
    'route-2:false:c',
    'route-2:true:b',
    'route:false:route-2',
    'route:true:a',
    'webhook:out:route',
  ])
  expect(findings(graph).filter(({ severity }) => severity !== 'warning')).toEqual([])
})

test('schedules, forms and second triggers', () => {
  const { graph, report } = imported({
    ...n8nExport(
      [
        {
          name: 'Nightly',
          type: base('scheduleTrigger'),
          parameters: {
            rule: {
              interval: [{ triggerAtHour: 2 }, { field: 'cronExpression', expression: '0 30 9 * * 1-5' }],
            },
          },
        },
        {
          name: 'Form',
          type: base('formTrigger'),
          typeVersion: 2.2,
          parameters: {
            formTitle: 'Ask',
            formFields: {
              values: [
                { fieldLabel: 'Your name.', requiredField: true },
                { fieldLabel: 'Kind', fieldType: 'dropdown', fieldOptions: { values: [{ option: 'A' }] } },
              ],
            },
          },
        },
        { name: 'Hook', type: base('webhook') },
        { name: 'Mail', type: base('gmailTrigger') },
        { name: 'Errors', type: base('errorTrigger') },
        {
          name: 'Use',
          type: base('set'),
          typeVersion: 3.4,
          parameters: {
            assignments: {
              assignments: [{ name: 'who', value: "={{ $('Form').item.json['Your name.'] }}" }],
            },
          },
        },
      ],
      [
        ['Nightly', 'Use'],
        ['Form', 'Use'],
        ['Hook', 'Use'],
        ['Mail', 'Use'],
        ['Errors', 'Use'],
      ],
    ),
    settings: { timezone: 'Europe/Berlin' },
  })
  expect(graph.nodes.filter(({ type }) => type === 'recurrence').map(({ config }) => config)).toEqual([
    { mode: 'cron', cron: '0 2 * * *', timezone: 'Europe/Berlin' },
    { mode: 'cron', cron: '30 9 * * 1-5', timezone: 'Europe/Berlin' },
  ])
  expect(stepOf(graph, 'Use').config.rows).toMatchObject([{ value: '{{ trigger.body.Your name }}' }])
  expect(report.rows.map(({ outcome }) => outcome)).toEqual(['step', 'step', 'step', 'note', 'note', 'step'])
  expect(findings(graph).filter(({ severity }) => severity === 'block')).toEqual([])
})

test('an agent with tools asks for an agent, and its Note has what the agent needs', () => {
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Chat', type: ai('chatTrigger') },
        {
          name: 'Helper',
          type: ai('agent'),
          typeVersion: 1.7,
          parameters: { options: { systemMessage: 'Be kind.' } },
        },
        { name: 'Search', type: ai('toolHttpRequest'), parameters: { url: 'https://example.com/search' } },
      ],
      [
        ['Chat', 'Helper'],
        ['Search', 'Helper', 'ai_tool'],
      ],
    ),
  )
  expect(stepOf(graph, 'Helper')).toMatchObject({
    type: 'ai-agent',
    config: { message: '{{ trigger.chatInput }}' },
  })
  const note = String(stepOf(graph, 'About Helper').config.markdown)
  expect(note).toContain('Be kind.')
  expect(note).toContain('https://example.com/search')
  expect(report.choices).toMatchObject([{ kind: 'agent', nodeId: 'helper' }])
})

test('runs skip disabled nodes, outputs for errors are lost, and secrets in fields are omitted: all of it is said', () => {
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Start', type: base('manualTrigger') },
        { name: 'Off', type: base('slack'), disabled: true },
        {
          name: 'Set',
          type: base('set'),
          typeVersion: 3.4,
          onError: 'continueErrorOutput',
          parameters: {
            assignments: {
              assignments: [
                { name: 'apiKey', value: 'sk-abcdefghijklmnop1234', type: 'string' },
                { name: 'a', value: '={{ $json.a }}' },
              ],
            },
          },
        },
        { name: 'Oops', type: base('noOp') },
      ],
      [
        ['Start', 'Off'],
        ['Off', 'Set'],
        ['Set', 'Oops', 1],
      ],
    ),
  )
  expect(stepOf(graph, 'Set').config.rows).toMatchObject([
    { value: '{{ n8n: the secret apiKey }}' },
    { value: '{{ trigger.a }}' },
  ])
  expect(JSON.stringify({ graph, report })).not.toContain('sk-abcdef')
  expect(report.connections).toEqual([
    { from: 'Set', to: 'Oops', reason: 'it was the output for errors; here a failed step ends the run' },
  ])
  expect(report.remarks).toEqual([
    'No trigger leads to "Oops". Connect or remove them: runs fail before their first step until then.',
  ])
  expect(stepOf(graph, 'Off')).toMatchObject({ type: 'edit-fields', disabled: true })
  expect(stepOf(graph, 'Set')).not.toHaveProperty('disabled')
  expect(stepOf(graph, 'About Off').config.markdown).toContain('was disabled, and runs skip this step')
  expect(report.rows[1]).toMatchObject({
    outcome: 'stand_in',
    remarks: ['It was disabled. Runs skip the step until you enable it.'],
  })
})

test('a disabled node is a disabled step with its settings, its outputs and its body, and tokens read what is before it', () => {
  const isTrue = {
    conditions: {
      conditions: [{ leftValue: '={{ $json.a }}', rightValue: 1, operator: { operation: 'gt' } }],
    },
  }
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Start', type: base('manualTrigger') },
        { name: 'If', type: base('if'), typeVersion: 2, disabled: true, parameters: isTrue },
        { name: 'Other', type: base('noOp') },
        { name: 'Loop', type: base('splitInBatches'), typeVersion: 3, disabled: true },
        { name: 'Body', type: base('noOp') },
        { name: 'Old', type: base('splitInBatches'), typeVersion: 1, disabled: true },
        {
          name: 'After',
          type: base('set'),
          typeVersion: 3.4,
          parameters: { assignments: { assignments: [{ name: 'b', value: '={{ $json.b }}' }] } },
        },
      ],
      [
        ['Start', 'If'],
        ['If', 'Loop'],
        ['If', 'Other', 1],
        ['Loop', 'Body', 1],
        ['Body', 'Loop'],
        ['Loop', 'Old'],
        ['Old', 'After'],
        ['Old', 'Other', 1],
      ],
    ),
  )
  const off = graph.nodes.filter(({ disabled }) => disabled).map(({ name }) => name)
  expect(off).toEqual(['If', 'Loop', 'Old'])
  expect(stepOf(graph, 'If').config).toMatchObject({ conditions: [{ left: '{{ trigger.a }}', op: 'gt' }] })
  expect(stepOf(graph, 'Loop').config).toMatchObject({ mode: 'list' })
  expect(stepOf(graph, 'Body').parentId).toBe(stepOf(graph, 'Loop').id)
  expect(stepOf(graph, 'Old').type).toBe('edit-fields')
  expect(stepOf(graph, 'After').config.rows).toMatchObject([{ value: '{{ trigger.b }}' }])
  expect(
    graph.edges.map(({ source, sourceHandle, target }) => `${source}.${sourceHandle} ${target}`),
  ).toEqual(
    expect.arrayContaining([
      'if.true loop',
      'if.false other',
      'loop.body body',
      'loop.done old',
      'old.out after',
    ]),
  )
  expect(report.connections).toEqual([
    { from: 'Old', to: 'Other', reason: 'the node was disabled, so only its first output continued' },
  ])
})

test('a disabled tool or model is not part of its agent', () => {
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Agent', type: ai('agent'), parameters: { promptType: 'define', text: 'Hi' } },
        { name: 'Search', type: ai('toolHttpRequest'), disabled: true },
      ],
      [['Search', 'Agent', 'ai_tool']],
    ),
  )
  expect(stepOf(graph, 'Agent').type).toBe('ai-prompt')
  expect(report.rows[1]).toMatchObject({ outcome: 'part', remarks: ['It was disabled, so it is omitted.'] })
})

test('text that is not an expression means itself', () => {
  const { graph } = imported(
    n8nExport([
      {
        name: 'Set',
        type: base('set'),
        typeVersion: 3.4,
        parameters: { assignments: { assignments: [{ name: 'a', value: '{{ trigger.x }}' }] } },
      },
    ]),
  )
  const [{ value }] = stepOf(graph, 'Set').config.rows as [{ value: string }]
  expect(tokenize(value)).toEqual([{ kind: 'text', text: '{{ trigger.x }}' }])
  expect(graph.nodes[0]).toMatchObject({ type: 'manual-trigger' })
})

test('a list, an answer or a summary that nothing leads to keeps its step, with a token that no run resolves and the reason', () => {
  const { graph, report } = imported(
    n8nExport([
      { name: 'Split', type: base('splitOut'), parameters: { fieldToSplitOut: 'data.rows' } },
      { name: 'Lists', type: base('itemLists'), parameters: { fieldToSplitOut: 'rows' } },
      { name: 'Sort', type: base('itemLists'), parameters: { operation: 'sort' } },
      { name: 'Answer', type: base('respondToWebhook') },
      { name: 'File', type: base('respondToWebhook'), parameters: { respondWith: 'binary' } },
      { name: 'Nothing', type: base('respondToWebhook'), parameters: { respondWith: 'noData' } },
      { name: 'Sum', type: ai('chainSummarization'), typeVersion: 2 },
    ]),
  )
  expect(report.rows.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['Split', 'step'],
    ['Lists', 'step'],
    ['Sort', 'stand_in'],
    ['Answer', 'step'],
    ['File', 'step'],
    ['Nothing', 'step'],
    ['Sum', 'step'],
  ])
  const remarks = new Map(report.rows.map((row) => [row.name, row.remarks.join(' ')]))
  const reason = 'nothing leads to the node that reads it.'
  expect(remarks.get('Split')).toContain(`"data.rows" has no token: ${reason}`)
  for (const name of ['Answer', 'File', 'Sum'])
    expect(remarks.get(name)).toContain(`What comes before it has no token: ${reason}`)
  expect(remarks.get('File')).toContain('It answered with "binary".')
  expect(remarks.get('Nothing')).not.toContain('no token')
  expect(stepOf(graph, 'Lists').config.rows).toMatchObject([{ name: 'items', value: '{{ n8n: rows }}' }])
  expect(stepOf(graph, 'Answer').config.rows).toMatchObject([
    { name: 'response', value: '{{ n8n: what comes before it }}' },
  ])
  expect(stepOf(graph, 'Nothing').config.rows).toEqual([])
})

test('a summary asks by its own prompt, with the text in the place of {text}, and its fields are read as its answer', () => {
  const values = (summarizationMethod: string, prompts: object) => ({
    options: { summarizationMethodAndPrompts: { values: { summarizationMethod, ...prompts } } },
  })
  const sum = (name: string, parameters: object = {}, typeVersion = 2) => ({
    name,
    type: ai('chainSummarization'),
    typeVersion,
    parameters: { ...parameters },
  })
  const { graph, report } = imported(
    n8nExport(
      [
        { name: 'Hook', type: base('webhook'), parameters: { httpMethod: 'POST' } },
        sum('Plain'),
        sum('Placed', values('stuff', { prompt: 'In ten words: "{text}"' })),
        sum('Reads', values('map_reduce', { prompt: 'x', combineMapPrompt: '=Short: {{ $json.body.a }}' })),
        sum('Files', { operationMode: 'nodeInputBinary' }),
        sum('First', {}, 1),
        {
          name: 'Set',
          type: base('set'),
          typeVersion: 3.4,
          parameters: { assignments: { assignments: [{ name: 's', value: '={{ $json.response.text }}' }] } },
        },
      ],
      [
        ['Hook', 'Plain'],
        ['Hook', 'Placed'],
        ['Hook', 'Reads'],
        ['Hook', 'Files'],
        ['Hook', 'First'],
        ['Plain', 'Set'],
      ],
    ),
  )
  expect(stepOf(graph, 'Plain').config.prompt).toBe('Summarize the following text briefly.\n\n{{ trigger }}')
  expect(stepOf(graph, 'Placed').config.prompt).toBe('In ten words: "{{ trigger }}"')
  expect(stepOf(graph, 'Reads').config.prompt).toBe('Short: {{ trigger.body.a }}')
  expect(stepOf(graph, 'Set').config.rows).toMatchObject([
    { name: 's', value: '{{ upstream.plain.output }}' },
  ])
  const outcomes = new Map(report.rows.map((row) => [row.name, row.outcome]))
  expect(outcomes.get('Files')).toBe('stand_in')
  expect(outcomes.get('First')).toBe('stand_in')
})
