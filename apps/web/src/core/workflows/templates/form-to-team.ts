import { step, type WorkflowTemplate, way } from './template.ts'

export const formToTeam: WorkflowTemplate = {
  id: 'form-to-team',
  name: 'Form to team',
  detail: 'A request of a form is worked on by a team, and a person reads the answer before it is given.',
  keywords: ['form', 'team', 'request', 'research', 'review'],
  asks: { kind: 'team', stepId: 'work' },
  payload: { body: { name: 'Mia', request: 'Compare two suppliers of oak.' } },
  graph: {
    nodes: [
      step('form', 'form-trigger', 'Request form', {
        title: 'What do you need?',
        fields: [
          { name: 'name', label: 'Your name', type: 'text', required: true },
          { name: 'request', label: 'Request', type: 'textarea', required: true },
        ],
      }),
      step('work', 'team-step', 'The team works on it', {
        message: 'Request of {{ trigger.body.name }}:\n\n{{ trigger.body.request }}',
      }),
      step('read', 'human-review', 'Read the answer', {
        title: 'Answer for {{ trigger.body.name }}',
        show: [{ label: 'Request', value: '{{ trigger.body.request }}' }],
        fields: [
          {
            name: 'answer',
            label: 'Answer',
            type: 'textarea',
            required: true,
            value: '{{ upstream.work.output }}',
          },
        ],
      }),
      step('answer', 'edit-fields', 'Give the answer', {
        rows: [{ name: 'answer', value: '{{ upstream.read.output.data.answer }}' }],
      }),
    ],
    edges: [way('form', 'work'), way('work', 'read'), way('read', 'answer', 'approved')],
  },
}
