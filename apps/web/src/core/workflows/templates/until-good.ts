import { step, type WorkflowTemplate, way } from './template.ts'

export const untilGood: WorkflowTemplate = {
  id: 'until-good',
  name: 'Write until it is good',
  detail: 'A model writes a text, a second call judges it, and both repeat three times at most.',
  keywords: ['evaluate', 'judge', 'loop', 'retry', 'while'],
  payload: { topic: 'Chairs of oak' },
  graph: {
    nodes: [
      step('topic', 'manual-trigger', 'Topic received', {
        sample: { topic: 'Chairs of oak' },
      }),
      step('begin', 'variable', 'Begin', {
        rows: [
          { name: 'attempts', value: 0 },
          { name: 'verdict', value: 'revise' },
          { name: 'text', value: null },
        ],
      }),
      step('again', 'loop', 'While it is not good', {
        mode: 'while',
        condition: {
          conditions: [
            { left: '{{ variables.verdict }}', op: 'neq', right: 'good' },
            { left: '{{ variables.attempts }}', op: 'lt', right: 3 },
          ],
        },
      }),
      step(
        'write',
        'ai-prompt',
        'Write',
        { prompt: 'A slogan of at most six words: {{ trigger.topic }}' },
        'again',
      ),
      step(
        'judge',
        'classify',
        'Judge',
        {
          text: '{{ upstream.write.output }}',
          classes: [
            { id: 'revise', name: 'Revise', description: 'It is dull or too long' },
            { id: 'good', name: 'Good', description: 'People will remember it' },
          ],
          includeOther: false,
        },
        'again',
      ),
      step(
        'keep',
        'variable',
        'Keep',
        {
          rows: [
            { name: 'attempts', op: 'increment' },
            { name: 'verdict', value: '{{ upstream.judge.output.categoryId }}' },
            { name: 'text', value: '{{ upstream.write.output }}' },
          ],
        },
        'again',
      ),
      step('result', 'edit-fields', 'Result', {
        rows: [
          { name: 'text', value: '{{ variables.text }}' },
          { name: 'verdict', value: '{{ variables.verdict }}' },
          { name: 'attempts', value: '{{ variables.attempts }}' },
        ],
      }),
    ],
    edges: [
      way('topic', 'begin'),
      way('begin', 'again'),
      way('again', 'write', 'body'),
      way('write', 'judge'),
      way('judge', 'keep', 'revise'),
      way('judge', 'keep', 'good'),
      way('again', 'result', 'done'),
    ],
  },
}
