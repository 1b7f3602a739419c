import { step, type WorkflowTemplate, way } from './template.ts'

export const documentIntake: WorkflowTemplate = {
  id: 'document-intake',
  name: 'Document intake with review',
  detail: 'A form takes an invoice as a file, a model reads its fields, and a person corrects them.',
  keywords: ['extract', 'file', 'form', 'invoice', 'pdf', 'upload'],
  payload: { body: { sender: 'Mill Ltd', document: 'Invoice 17 of Mill Ltd: 120 for oak.' } },
  graph: {
    nodes: [
      step('form', 'form-trigger', 'Invoice form', {
        title: 'Send an invoice',
        fields: [
          { name: 'sender', label: 'Your company', type: 'text', required: true },
          { name: 'document', label: 'Invoice', type: 'file', required: true, accept: '.pdf,.docx,.txt' },
        ],
      }),
      step('read', 'ai-prompt', 'Read the invoice', {
        prompt:
          'Which number and amount has this invoice of {{ trigger.body.sender }}?\n\n{{ trigger.body.document }}',
        outputSchema: {
          type: 'object',
          properties: { number: { type: 'string' }, amount: { type: 'number' } },
          required: ['number', 'amount'],
          additionalProperties: false,
        },
      }),
      step('check', 'human-review', 'Check the fields', {
        title: 'Invoice of {{ trigger.body.sender }}',
        show: [{ label: 'Document', value: '{{ trigger.body.document }}' }],
        fields: [
          {
            name: 'number',
            label: 'Number',
            type: 'text',
            required: true,
            value: '{{ upstream.read.output.number }}',
          },
          {
            name: 'amount',
            label: 'Amount',
            type: 'number',
            required: true,
            value: '{{ upstream.read.output.amount }}',
          },
        ],
      }),
      step('booked', 'edit-fields', 'Book the invoice', {
        rows: [
          { name: 'number', value: '{{ upstream.check.output.data.number }}' },
          { name: 'amount', value: '{{ upstream.check.output.data.amount }}' },
        ],
      }),
    ],
    edges: [way('form', 'read'), way('read', 'check'), way('check', 'booked', 'approved')],
  },
}
