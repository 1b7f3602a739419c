import type { JsonCall } from './text-work.ts'

/** Why work on whole JSON values is bounded there. A reason stands for every file below it. */
interface JsonWork {
  reason: string
  calls: readonly JsonCall[]
  /** Files, and folders that end with `/`: whoever writes JSON in another one has to say why it is bounded. */
  files: readonly string[]
}

/**
 * Files that parse, write, copy or validate JSON values, with what bounds the values. A text from outside is parsed by `parseJson`
 * or `parseJsonBody`, which count it before anything is built; a value that they have returned has at most 100,000 values and 64
 * levels, so that writing and copying it is bounded, too.
 */
export const JSON_WORK: readonly JsonWork[] = [
  {
    reason: 'the gate itself',
    calls: ['parse', 'validate'],
    files: [
      'packages/contract/src/validation/changed-numbers.ts',
      'packages/contract/src/validation/json-body.ts',
      'packages/contract/src/validation/parse-json.ts',
      'packages/contract/src/validation/validator.ts',
    ],
  },
  {
    reason:
      'the text is ours: a file of the program, a sealed value, a signal, a log line, a request or an answer of this server',
    calls: ['parse', 'write'],
    files: [
      'apps/server/src/boot/server-version.ts',
      'apps/server/src/loading/bundle-program.ts',
      'apps/server/src/loading/program-bundle.ts',
      'apps/server/src/wiring/tool-context-box.ts',
      'apps/voice-worker/src/config/log-contents.ts',
      'packages/database/src/known-migrations.ts',
      'packages/database/src/signals/listeners.ts',
      'packages/models/src/wire/accepted-fields.ts',
      'packages/operations/src/catalog/usable-llm-configuration.ts',
      'packages/operations/src/llm-configurations/credentials.ts',
      'packages/pages/src/web/web-build.ts',
      'packages/sql/src/pglite/image-files.ts',
      'packages/sql/src/pglite/image-key.ts',
      'packages/sql/src/pglite/image-maker.ts',
      'packages/sql/src/pglite/owner-file.ts',
      'packages/voice-protocol/src/client/request.ts',
      'packages/voice-protocol/src/client/send-request.ts',
      'packages/voice-protocol/src/client/voice-session-connection.ts',
    ],
  },
  {
    reason: 'a part of a form that parseJson has counted',
    calls: ['validate'],
    files: ['apps/server/src/routes/builder/bundle-archives.ts'],
  },
  {
    reason: 'a word of the command line',
    calls: ['validate'],
    files: ['apps/server/src/cli/create-owner-command.ts'],
  },
  {
    reason: 'what the database has was bounded when it was stored',
    calls: ['parse', 'write'],
    files: ['packages/sql/src/client/result-values.ts', 'packages/sql/src/client/storable.ts'],
  },
  {
    reason: 'it runs in the program of the caller or operator and reads the answers of this server',
    calls: ['parse', 'write'],
    files: [
      'apps/server/src/cli/apply-command.ts',
      'apps/server/src/cli/remote.ts',
      'packages/client/src/call/answer.ts',
      'packages/client/src/call/transport.ts',
      'packages/client/src/stream/run-events.ts',
    ],
  },
  {
    reason: 'it runs in a process of its own that is ended when it takes too long',
    calls: ['parse', 'write', 'validate'],
    files: [
      'packages/bundles/src/read/read-bundle.ts',
      'packages/tools/src/openapi/operation-input.ts',
      'packages/tools/src/openapi/read-operations.ts',
    ],
  },
  {
    reason: 'the value passed the gate, and its lists and records have bounds',
    calls: ['copy', 'validate'],
    files: [
      'apps/server/src/pages/people/first-sign-in-pages.ts',
      'apps/server/src/routes/v1/openai.ts',
      'apps/server/src/voice-internal/register-endpoint.ts',
      'packages/contract/src/agents/config/check.ts',
      'packages/contract/src/agents/config/guardrails.ts',
      'packages/contract/src/agents/config/merge.ts',
      'packages/contract/src/teams/config/check.ts',
      'packages/graph/src/model/graph.ts',
      'packages/graph/src/validation/validate-graph.ts',
      'packages/http/src/operation.ts',
      'packages/json-schema/src/schema/schema-faults.ts',
      'packages/mcp-server/src/invalid-params.ts',
      'packages/nodes/src/definition/fill-defaults.ts',
      'packages/nodes/src/definition/node-definition.ts',
      'packages/nodes/src/form-trigger/rules.ts',
      'packages/openai-protocol/src/chat-request.ts',
      'packages/operations/src/runnables/call-exposed-tool.ts',
      'packages/plans/src/wire-shapes.ts',
      'packages/voice-protocol/src/jobs/dispatch-metadata.ts',
    ],
  },
  {
    reason: 'what is written is small and made here: ids, options, messages, records of the program',
    calls: ['write'],
    files: [
      'apps/server/src/access/',
      'apps/server/src/boot/',
      'apps/server/src/pages/',
      'apps/server/src/routes/docs/',
      'packages/builder-rows/src/',
      'packages/database/src/',
      'packages/engine/src/',
      'packages/http/src/',
      'packages/ledger/src/',
      'packages/notices/src/',
      'packages/observation/src/',
      'packages/people/src/',
      'packages/retrieval/src/',
      'packages/speech/src/',
      'packages/sql/src/pglite/',
      'packages/turn-rows/src/',
      'packages/voice-rows/src/',
      'packages/voice/src/',
    ],
  },
  {
    reason:
      'what is written passed the gate, or has a limit where it is made: arguments, configurations, graphs, prompts, answers, results',
    calls: ['write'],
    files: [
      'apps/server/src/voice-internal/',
      'packages/agents/src/',
      'packages/builder/src/',
      'packages/bundles/src/',
      'packages/contract/src/',
      'packages/graph/src/',
      'packages/guardrails/src/',
      'packages/imports/src/',
      'packages/json-schema/src/',
      'packages/mcp-server/src/',
      'packages/models/src/',
      'packages/nodes/src/',
      'packages/openai-protocol/src/',
      'packages/operations/src/',
      'packages/pages/src/',
      'packages/tools/src/',
      'packages/workflows/src/',
    ],
  },
]
