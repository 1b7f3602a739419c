import { step, type WorkflowTemplate, way } from './template.ts'

export const nightlyReport: WorkflowTemplate = {
  id: 'nightly-report',
  name: 'Nightly report',
  detail: 'Every night, or by hand, two views are written at the same time and joined into one report.',
  keywords: ['cron', 'parallel', 'recurrence', 'schedule', 'summary'],
  payload: {},
  graph: {
    nodes: [
      step('nights', 'recurrence', 'Every night at 02:00', {
        mode: 'cron',
        cron: '0 2 * * *',
        timezone: 'UTC',
        overlap: 'cancel_previous',
        catchUp: 'latest',
      }),
      step('by-hand', 'manual-trigger', 'By hand'),
      step('figures', 'variable', 'Figures', {
        rows: [{ name: 'figures', value: { orders: 12, returns: 3 }, mode: 'fixed' }],
      }),
      step('good', 'ai-prompt', 'What went well', {
        prompt: 'What went well today? {{ variables.figures }}',
      }),
      step('risks', 'ai-prompt', 'What to watch', {
        prompt: 'What should be watched? {{ variables.figures }}',
      }),
      step('report', 'edit-fields', 'Report', {
        rows: [
          { name: 'good', value: '{{ upstream.good.output }}' },
          { name: 'risks', value: '{{ upstream.risks.output }}' },
        ],
      }),
    ],
    edges: [
      way('nights', 'figures'),
      way('by-hand', 'figures'),
      way('figures', 'good'),
      way('figures', 'risks'),
      way('good', 'report'),
      way('risks', 'report'),
    ],
  },
}
