import { type Static, type TProperties, Type } from 'typebox'
import { EmailAddress } from '../../members/member.ts'
import { Choice } from '../../schema/choice.ts'
import { Uuid } from '../../schema/formats.ts'
import type { AgentId, CredentialId, McpServerId, WorkflowId } from '../../schema/ids.ts'
import { Nullable } from '../../schema/nullable.ts'
import { OpenObject, StringMap } from '../../schema/objects.ts'
import { OPERATORS } from '../../schema/operators.ts'

/** The calls of a tool that need an approval: those whose argument at `field` (`order.items.0.price`) meets a condition. */
export const ApprovalCondition = Type.Object(
  {
    field: Type.String({ minLength: 1, maxLength: 256 }),
    op: Choice(OPERATORS, { description: 'As in If / Else.' }),
    value: Type.Optional(
      Type.Unknown({ description: 'Compared with the argument; not for operators of one side.' }),
    ),
  },
  { additionalProperties: false },
)
export type ApprovalCondition = Static<typeof ApprovalCondition>

const approval = Type.Union([Choice(['never', 'always']), ApprovalCondition])

const common = {
  name: Type.String({
    pattern: '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$',
    patternMessage: 'must start with a letter or _ and have at most 64 letters, digits, _ and -',
  }),
  description: Type.Optional(Type.String({ maxLength: 4_000 })),
  context_keys: Type.Optional(
    Type.Array(
      Type.Object(
        {
          key: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
          required: Type.Optional(Type.Boolean()),
          bind: Type.Optional(Nullable(Type.String({ minLength: 1 }))),
        },
        { additionalProperties: false },
      ),
      { maxItems: 50 },
    ),
  ),
  idempotent: Type.Optional(Type.Boolean()),
  timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000 })),
  approval: Type.Optional(approval),
  approval_timeout_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_592_000 })),
  /** Recipients of an e-mail with a link when a call waits. */
  approval_notify: Type.Optional(
    Type.Object(
      { emails: Type.Array(EmailAddress, { minItems: 1, maxItems: 20 }) },
      { additionalProperties: false },
    ),
  ),
}

/** For types that yield tools with other names. */
const optionalName = Type.Optional(common.name)
const strings = StringMap({ maxProperties: 100 })
const open = OpenObject({ maxProperties: 1_000 })
/** Shown in lists of offered or left-out tools of one server. */
const MAX_NAMED_TOOLS = 1_000

/** A tool is a closed object: an unknown key is a failure, so that a misspelt safety option never goes unnoticed. */
const tool = <const N extends string, T extends TProperties>(type: N, own: T) =>
  Type.Object({ type: Type.Literal(type), ...common, ...own }, { additionalProperties: false })

/** The schema of one `config.tools[]` item by its `type`. */
export const TOOL_SCHEMAS = {
  http: tool('http', {
    method: Choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: Type.String({ minLength: 1, maxLength: 4_096 }),
    headers: Type.Optional(strings),
    query: Type.Optional(open),
    body: Type.Optional(Type.Unknown()),
    input_schema: Type.Optional(open),
    auth_credential_id: Type.Optional(Nullable(Uuid<CredentialId>())),
    response_max_kb: Type.Optional(Type.Integer({ minimum: 1, maximum: 4_096 })),
  }),
  openapi: tool('openapi', {
    document: Type.Optional(Type.Union([open, Type.String({ minLength: 1 })])),
    spec_url: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    operations: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 64 })),
    prefix: Type.Optional(Type.String({ maxLength: 32 })),
    response_max_kb: Type.Optional(Type.Integer({ minimum: 1, maximum: 4_096 })),
    auth_credential_id: Type.Optional(Nullable(Uuid<CredentialId>())),
  }),
  mcp: tool('mcp', {
    name: optionalName,
    server_id: Type.Optional(Uuid<McpServerId>()),
    url: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    transport: Type.Optional(Choice(['streamable_http'])),
    headers: Type.Optional(strings),
    allow: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_NAMED_TOOLS })),
    deny: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_NAMED_TOOLS })),
    prefix: Type.Optional(Type.String({ maxLength: 32, pattern: '^[a-zA-Z_][a-zA-Z0-9_-]*$' })),
    on_unavailable: Type.Optional(Choice(['skip', 'fail'])),
  }),
  builtin: tool('builtin', {
    name: optionalName,
    builtin: Choice(['calculator', 'datetime', 'web_fetch', 'web_search', 'memory']),
    auth_credential_id: Type.Optional(Nullable(Uuid<CredentialId>())),
  }),
  workflow: tool('workflow', { workflow_id: Uuid<WorkflowId>() }),
  agent: tool('agent', { agent_id: Uuid<AgentId>() }),
  code: tool('code', {
    source: Type.String({ minLength: 1, maxLength: 65_536 }),
    input_schema: Type.Optional(open),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: 30_000 })),
    memory_mb: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  }),
} as const

/** Maximum tools of an agent. */
export const MAX_TOOLS = 64

/** The kinds of tool that an agent may have. */
export type ToolType = keyof typeof TOOL_SCHEMAS

/** `config.tools[]`: an item of any kind. */
export const ToolConfig = Type.Union([
  TOOL_SCHEMAS.http,
  TOOL_SCHEMAS.openapi,
  TOOL_SCHEMAS.mcp,
  TOOL_SCHEMAS.builtin,
  TOOL_SCHEMAS.workflow,
  TOOL_SCHEMAS.agent,
  TOOL_SCHEMAS.code,
])
export type ToolConfig = Static<typeof ToolConfig>

/** The name of a tool in prompts; undefined for a configuration that yields tools with other names. */
export function toolNameOf(tool: ToolConfig): string | undefined {
  return tool.name ?? (tool.type === 'builtin' ? tool.builtin : undefined)
}
