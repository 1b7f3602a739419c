import { Type } from 'typebox'
import { defineOperation } from '../operation/operation.ts'
import { AgentRunBody } from '../runs/run-body.ts'
import { OpenObject } from '../schema/objects.ts'

/** Maximum listed names to choose from in a response. */
export const MAX_LISTED_TOOLS = 500

const ms = Type.Integer({ minimum: 0, description: 'How long the call took, in milliseconds.' })

export const testToolOperation = defineOperation({
  id: 'testTool',
  method: 'POST',
  path: '/api/v1/tools/test',
  tag: 'Tools',
  summary: 'Call a tool once, as configured',
  description:
    "Without an agent, a model or an approval; no run is stored. A tool's failure is an answer with `ok: false`.",
  access: 'api_key',
  body: Type.Object(
    {
      tool: OpenObject({ description: 'An item of `config.tools` of an agent.' }),
      arguments: Type.Optional(OpenObject({ description: "The model's input." })),
      tool_context: AgentRunBody.properties.tool_context,
      name: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description: `Which of the tools, if the configuration offers several: \`openapi\` and \`mcp\`. Another one is 400 with their names, at most ${MAX_LISTED_TOOLS}.`,
        }),
      ),
    },
    {
      additionalProperties: false,
      examples: [
        {
          tool: { type: 'builtin', builtin: 'calculator' },
          arguments: { expression: '6 * 7' },
        },
      ],
    },
  ),
  success: {
    status: 200,
    description: 'The text that the model would read.',
    body: Type.Union([
      Type.Object({ ok: Type.Literal(true), result: Type.String(), ms }),
      Type.Object({
        ok: Type.Literal(false),
        error: Type.Object({
          code: Type.String(),
          message: Type.String(),
          body: Type.Optional(Type.String({ description: "The start of a server's answer." })),
        }),
        ms,
      }),
    ]),
  },
  errors: ['validation_error', 'credential_not_found'],
})
