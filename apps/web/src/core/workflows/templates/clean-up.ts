import { step, type WorkflowTemplate, way } from './template.ts'

export const cleanUp: WorkflowTemplate = {
  id: 'clean-up',
  name: 'Clean up a list',
  detail: 'A Loop has a model rewrite each entry of a list, and collects the results.',
  keywords: ['batch', 'data', 'for each', 'normalise', 'rows'],
  payload: { entries: ['mill ltd. , oak', 'Ash & Sons'] },
  graph: {
    nodes: [
      step('list', 'manual-trigger', 'List received', {
        sample: { entries: ['mill ltd. , oak', 'Ash & Sons'] },
      }),
      step('begin', 'variable', 'Begin', { rows: [{ name: 'clean', value: [], mode: 'fixed' }] }),
      step('each', 'loop', 'For each entry', { mode: 'list', source: '{{ trigger.entries }}' }),
      step(
        'rewrite',
        'ai-prompt',
        'Rewrite the entry',
        { prompt: 'Write this name in its usual form, and nothing else: {{ loop.item }}' },
        'each',
      ),
      step(
        'collect',
        'variable',
        'Collect',
        { rows: [{ name: 'clean', op: 'append', value: '{{ upstream.rewrite.output }}' }] },
        'each',
      ),
      step('result', 'edit-fields', 'Clean list', {
        rows: [{ name: 'entries', value: '{{ variables.clean }}' }],
      }),
    ],
    edges: [
      way('list', 'begin'),
      way('begin', 'each'),
      way('each', 'rewrite', 'body'),
      way('rewrite', 'collect'),
      way('each', 'result', 'done'),
    ],
  },
}
