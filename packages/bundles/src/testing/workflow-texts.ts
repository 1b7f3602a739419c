/** Bundles of one workflow `triage`, to append to an organization. */

const START = '{ id: start, type: http-request, name: Start }'
/** A workflow with nodes after a trigger, starting on line 6; `more` has further keys, starting on line 8. */
export const triage = (more: string, ...nodes: string[]) => `    workflows:
      - slug: triage
        name: Triage
        ${more === '' ? 'description: null' : more}
        graph:
          nodes:
            - ${[START, ...nodes].join('\n            - ')}
          edges: [${nodes.map((_, index) => `{ id: e${index}, source: start, target: n${index} }`).join(', ')}]
`
/** A node in which an agent answers. */
export const answer = (config: string, index = 0) =>
  `{ id: n${index}, type: ai-agent, name: N${index}, config: { ${config}, message: m } }`
/** A published workflow with one agent. */
export const ANSWERED = triage('publish: true', answer('agent: a'))
