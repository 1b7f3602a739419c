import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import {
  type AgentId,
  type AgentVersionId,
  type IdText,
  type KnowledgeChunkId,
  type KnowledgeDocumentId,
  Nullable,
  type RunId,
  type SessionRowId,
} from '@troupe/contract'
import { idText, schemaOf } from '@troupe/durable-work'
import { Type } from 'typebox'
import type { MemberRun, NewRunMessage, StoredToolCall } from '../ports/run-store.ts'
import type { HistoryRun, SessionState } from '../ports/session-state.ts'
import type { StatePart, StepState } from '../ports/step-state.ts'
import type { NumberedPassage, ToolErrorCode, ToolOutcome } from '../ports/tool.ts'
import type { Spent } from './acting-agent.ts'

// The shapes that several steps of journals have in common.

export const SPENT = schemaOf<Spent>()(
  Type.Object({
    inputTokens: Type.Number(),
    outputTokens: Type.Number(),
    failoverUsed: Type.Boolean(),
    costMicros: Type.Optional(Type.Number()),
  }),
)

/** Where a text was written in the stream. */
export const WRITTEN = Type.Object({ messageId: Type.String() })

const metadata = Type.Optional(
  Type.Unsafe<SharedV4ProviderMetadata>(Type.Record(Type.String(), Type.Object({}))),
)

const STATE_PART = schemaOf<StatePart>()(
  Type.Union([
    Type.Object({
      type: Type.Literal('text'),
      text: Type.Optional(Type.String()),
      hidden: Type.Optional(Type.Literal(true)),
      metadata,
    }),
    Type.Object({ type: Type.Literal('reasoning'), text: Type.String(), metadata }),
    Type.Object({ type: Type.Literal('call'), index: Type.Integer(), id: Type.String(), metadata }),
    Type.Object({
      type: Type.Literal('custom'),
      kind: Type.Unsafe<`${string}.${string}`>(Type.String()),
      metadata,
    }),
    Type.Object({
      type: Type.Literal('own-call'),
      id: Type.String(),
      name: Type.String(),
      input: Type.Unknown(),
      metadata,
    }),
    Type.Object({
      type: Type.Literal('own-result'),
      id: Type.String(),
      name: Type.String(),
      value: Type.Unknown(),
      isError: Type.Boolean(),
      metadata,
    }),
  ]),
)

export const STEP_STATE = schemaOf<StepState>()(
  Type.Object({ origin: Type.String(), parts: Type.Array(STATE_PART) }),
)

const state = Type.Optional(Nullable(STEP_STATE))

export const NUMBERED_PASSAGE = schemaOf<NumberedPassage>()(
  Type.Object({
    n: Type.Integer(),
    documentId: idText<IdText<KnowledgeDocumentId>>(),
    documentName: Type.String(),
    page: Nullable(Type.Integer()),
    url: Nullable(Type.String()),
    quote: Type.String(),
    chunkId: idText<KnowledgeChunkId>(),
  }),
)

export const TOOL_OUTCOME = schemaOf<ToolOutcome>()(
  Type.Union([
    Type.Object({
      ok: Type.Literal(true),
      text: Type.String(),
      passages: Type.Optional(Type.Array(NUMBERED_PASSAGE)),
    }),
    Type.Object({
      ok: Type.Literal(false),
      code: Type.Unsafe<ToolErrorCode>(Type.String()),
      message: Type.String(),
      body: Type.Optional(Type.String()),
    }),
  ]),
)

/** An earlier run of a session as prompts replay it. */
export const HISTORY_RUN = schemaOf<HistoryRun>()(
  Type.Object({
    seq: Type.Integer(),
    status: Type.Union([Type.Literal('completed'), Type.Literal('cancelled'), Type.Literal('failed')]),
    input: Type.String(),
    content: Nullable(Type.String()),
    interrupted: Type.Optional(Nullable(Type.Boolean())),
    answeredBy: Nullable(idText<AgentId>()),
    steps: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            text: Type.String(),
            calls: Type.Array(
              Type.Object({
                id: Type.String(),
                name: Type.String(),
                arguments: Type.Unknown(),
                result: Type.String(),
              }),
            ),
            state,
          }),
        ),
      ),
    ),
    state,
    called: Type.Optional(Nullable(Type.Array(Type.String()))),
  }),
)

export const SESSION_STATE = schemaOf<SessionState>()(
  Type.Object({
    sessionRowId: Nullable(idText<SessionRowId>()),
    ownerUserId: Type.String(),
    summary: Nullable(
      Type.Object({ text: Type.String(), coversSeq: Type.Integer(), version: Type.Integer() }),
    ),
    history: Type.Array(HISTORY_RUN),
    unsummarisedBytes: Type.Number(),
    oldestInFlight: Type.Optional(Nullable(Type.Integer())),
  }),
)

const TOOL_CALL_OF_MESSAGE = schemaOf<StoredToolCall>()(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    arguments: Type.Unknown(),
    status: Type.Optional(Type.Union([Type.Literal('ok'), Type.Literal('error'), Type.Literal('denied')])),
    ms: Type.Optional(Type.Number()),
    startedAt: Type.Optional(Type.Number()),
  }),
)

const MESSAGE = schemaOf<NewRunMessage>()(
  Type.Object({
    idx: Type.Integer(),
    role: Type.Union([Type.Literal('user'), Type.Literal('assistant'), Type.Literal('tool')]),
    content: Nullable(Type.String()),
    toolCalls: Nullable(Type.Array(TOOL_CALL_OF_MESSAGE)),
    toolCallId: Nullable(Type.String()),
    toolName: Nullable(Type.String()),
    isError: Nullable(Type.Boolean()),
    state,
    agentId: Nullable(idText<AgentId>()),
    agentName: Nullable(Type.String()),
    createdAt: Type.Number(),
  }),
)

/** The row of a member's run. */
export const STORED_MEMBER_RUN = schemaOf<MemberRun>()(
  Type.Object({
    runId: idText<RunId>(),
    stepKey: Type.String(),
    agentId: idText<AgentId>(),
    agentVersionId: idText<AgentVersionId>(),
    status: Type.Union([
      Type.Literal('completed'),
      Type.Literal('failed'),
      Type.Literal('timeout'),
      Type.Literal('cancelled'),
    ]),
    success: Type.Boolean(),
    input: Type.String(),
    content: Nullable(Type.String()),
    errorCode: Nullable(Type.String()),
    errorMessage: Nullable(Type.String()),
    inputTokens: Type.Number(),
    outputTokens: Type.Number(),
    failoverUsed: Type.Boolean(),
    createdAt: Type.Number(),
    completedAt: Type.Number(),
    messages: Type.Array(MESSAGE),
    learns: Type.Optional(Type.Boolean()),
  }),
)
