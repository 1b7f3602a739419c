import { step, type WorkflowTemplate, way } from './template.ts'

export const supportTriage: WorkflowTemplate = {
  id: 'support-triage',
  name: 'Support triage',
  detail:
    'Sorts what customers write into a form, drafts the answer, and asks a person before money is paid back.',
  keywords: ['classify', 'customer', 'email', 'ticket', 'form'],
  payload: { body: { subject: 'Where is my parcel?', text: 'I ordered a chair three weeks ago.' } },
  graph: {
    nodes: [
      step('message', 'form-trigger', 'Message received', {
        title: 'Contact support',
        fields: [
          { name: 'subject', label: 'Subject', type: 'text', required: true },
          { name: 'text', label: 'How can we help?', type: 'textarea', required: true },
        ],
      }),
      step('sort', 'classify', 'What is it about?', {
        text: '{{ trigger.body.subject }}: {{ trigger.body.text }}',
        classes: [
          { id: 'question', name: 'Question', description: 'Somebody wants to know something' },
          { id: 'refund', name: 'Refund', description: 'Somebody wants money back' },
        ],
      }),
      step('answer', 'ai-prompt', 'Draft the answer', {
        system: 'You answer customers: friendly, short, without promises.',
        prompt: '{{ trigger.body.text }}',
      }),
      step('refund', 'human-review', 'Pay it back?', {
        title: 'Refund: {{ trigger.body.subject }}',
        show: [{ label: 'Message', value: '{{ trigger.body.text }}' }],
      }),
      step('pay', 'edit-fields', 'Pay it back', {
        rows: [{ name: 'refund', value: 'approved' }],
      }),
      step('refuse', 'edit-fields', 'Refuse the refund', {
        rows: [{ name: 'refund', value: 'rejected' }],
      }),
      step('forward', 'edit-fields', 'Forward to a person', {
        rows: [{ name: 'forward', value: '{{ trigger.body.subject }}' }],
      }),
    ],
    edges: [
      way('message', 'sort'),
      way('sort', 'answer', 'question'),
      way('sort', 'refund', 'refund'),
      way('sort', 'forward', 'other'),
      way('refund', 'pay', 'approved'),
      way('refund', 'refuse', 'rejected'),
    ],
  },
}
