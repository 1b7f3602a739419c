import { step, type WorkflowTemplate, way } from './template.ts'

export const answerWithSources: WorkflowTemplate = {
  id: 'answer-with-sources',
  name: 'Answer with sources',
  detail:
    'An agent answers a question from its knowledge and names its sources; a person answers what it does not find.',
  keywords: ['rag', 'retrieval', 'knowledge', 'citations', 'documents', 'question'],
  asks: { kind: 'agent', stepId: 'search' },
  payload: { question: 'How long may I return a chair?' },
  graph: {
    nodes: [
      step('question', 'manual-trigger', 'Question asked', {
        sample: { question: 'How long may I return a chair?' },
      }),
      step('search', 'ai-agent', 'Search and answer', {
        message:
          'Answer only from the passages of your knowledge. Name the document of every statement in "sources". If they do not answer the question, say so with "isFound": false.\n\nQuestion: {{ trigger.question }}',
        outputSchema: {
          type: 'object',
          properties: {
            isFound: { type: 'boolean' },
            answer: { type: 'string' },
            sources: { type: 'array', items: { type: 'string' } },
          },
          required: ['isFound', 'answer', 'sources'],
          additionalProperties: false,
        },
      }),
      step('found', 'if-else', 'Found in the documents?', {
        conditions: [{ left: '{{ upstream.search.output.isFound }}', op: 'is_true' }],
      }),
      step('answer', 'edit-fields', 'Answer', {
        rows: [
          { name: 'answer', value: '{{ upstream.search.output.answer }}' },
          { name: 'sources', value: '{{ upstream.search.output.sources }}' },
        ],
      }),
      step('person', 'human-review', 'Answer by a person', {
        title: 'Not in the documents: {{ trigger.question }}',
        show: [{ label: 'What the agent said', value: '{{ upstream.search.output.answer }}' }],
        fields: [{ name: 'answer', label: 'Answer', type: 'textarea', required: true }],
      }),
      step('by-person', 'edit-fields', 'Answer of the person', {
        rows: [
          { name: 'answer', value: '{{ upstream.person.output.data.answer }}' },
          { name: 'sources', value: [] },
        ],
      }),
    ],
    edges: [
      way('question', 'search'),
      way('search', 'found'),
      way('found', 'answer', 'true'),
      way('found', 'person', 'false'),
      way('person', 'by-person', 'approved'),
    ],
  },
}
