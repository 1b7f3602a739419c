export { createClient, type TroupeClient } from './create-client.ts'
export type { CallOptions, ClientOptions, Fetch, RunOptions } from './options.ts'
export type { RateLimit } from './rate-limit.ts'
export type {
  CallError,
  ClientError,
  CodeOf,
  Failure,
  ResponseFacts,
  Result,
  Success,
} from './result.ts'
export type { AnswerUpdate } from './stream/answer-text.ts'
export type { RunEndCode } from './stream/run-outcome.ts'
export type { RunStream } from './stream/run-stream.ts'
export type { ReadOptions } from './stream/stream-call.ts'
export { TroupeError, unwrap } from './troupe-error.ts'
