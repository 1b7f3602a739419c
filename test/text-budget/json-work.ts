import type { JsonCall } from './text-work.ts'

/** The bound of work on whole JSON values. A reason applies to every file below it. */
interface JsonWork {
  reason: string
  calls: readonly JsonCall[]
  /** Files, and folders that end with `/`: code that writes JSON elsewhere needs a row with its bound. */
  files: readonly string[]
}

/**
 * Files that parse, write, copy or validate JSON values, with the bound of the values. External texts are parsed by `parseJson` or
 * `parseJsonBody`, which count before building anything; their results have at most 100,000 values and 64 levels, so writing and
 * copying them is bounded too.
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
      'apps/server/src/loading/start-options.ts',
      'apps/server/src/wiring/tool-context-box.ts',
      'apps/voice-worker/src/config/log-contents.ts',
      'packages/storage/src/known-migrations.ts',
      'packages/storage/src/listen-notify/listeners.ts',
      'packages/models/src/wire/accepted-fields.ts',
      'packages/operations/src/catalog/usable-llm-configuration.ts',
      'packages/operations/src/llm-configurations/credentials.ts',
      'packages/server-html/src/web/web-build.ts',
      'packages/storage/src/sql/pglite/image-files.ts',
      'packages/storage/src/sql/pglite/image-key.ts',
      'packages/storage/src/sql/pglite/image-maker.ts',
      'packages/storage/src/sql/pglite/owner-file.ts',
      'packages/contract/src/voice-worker/client/request.ts',
      'packages/contract/src/voice-worker/client/send-request.ts',
      'packages/contract/src/voice-worker/client/voice-session-connection.ts',
    ],
  },
  {
    reason: 'a part of a form that parseJson has counted',
    calls: ['validate'],
    files: ['apps/server/src/routes/builder/bundle-archives.ts'],
  },
  {
    reason:
      'a step of a journal, which this program wrote within the limits of models and tools; its schema says how deep it is read',
    calls: ['validate'],
    files: ['packages/durable-work/src/journal-step.ts'],
  },
  {
    reason: 'a word of the command line',
    calls: ['validate'],
    files: ['apps/server/src/cli/create-owner-command.ts'],
  },
  {
    reason: 'what the database has was bounded when it was stored',
    calls: ['parse', 'write'],
    files: [
      'packages/operations/src/workflows/draft-texts.ts',
      'packages/operations/src/workflows/patched-parts.ts',
      'packages/storage/src/sql/client/result-values.ts',
      'packages/storage/src/sql/client/storable.ts',
    ],
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
      'packages/http/src/openai-protocol/chat-request.ts',
      'packages/operations/src/runnables/call-exposed-tool.ts',
      'packages/agents/src/team/plan/wire-shapes.ts',
      'packages/contract/src/voice-worker/jobs/dispatch-metadata.ts',
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
      'packages/storage/src/',
      'packages/engine/src/',
      'packages/http/src/',
      'packages/operations/src/notices/',
      'packages/people/src/',
      'packages/operations/src/knowledge/',
      'packages/speech/src/',
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
      'packages/operations/src/',
      'packages/bundles/src/',
      'packages/contract/src/',
      'packages/graph/src/',
      'packages/json-schema/src/',
      'packages/mcp-server/src/',
      'packages/models/src/',
      'packages/nodes/src/',
      'packages/http/src/openai-protocol/',
      'packages/server-html/src/',
      'packages/tools/src/',
      'packages/workflows/src/',
    ],
  },
]
