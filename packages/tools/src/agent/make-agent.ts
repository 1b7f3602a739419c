import { AgentId, checkedId } from '@troupe/contract'
import type { ToolBody, ToolMaker } from '../tool/tool-maker.ts'

/** Another agent, which receives one message and answers it. Yields no tool if the agent may not run others. */
export const makeAgent: ToolMaker<'agent'> = (config, { run: { runAgent } }): readonly ToolBody[] => {
  if (runAgent === null) return []
  return [
    {
      description: 'Gives a task to another agent and returns its answer.',
      inputSchema: {
        type: 'object',
        properties: {
          message: {
            type: 'string',
            minLength: 1,
            description: 'The whole task; the agent knows nothing else.',
          },
        },
        required: ['message'],
        additionalProperties: false,
      },
      idempotent: 'always',
      rebuildsState: true,
      timeoutMs: null,
      execute: ({ message }, call) =>
        runAgent(checkedId(AgentId, config.agent_id), String(message), call, config.timeout_ms ?? null),
    },
  ]
}
