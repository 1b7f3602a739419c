export type { CallOptions, ClientOptions, Fetch, RunOptions } from './call/options.ts'
export type { RateLimit } from './call/rate-limit.ts'
export type { CalledOperation } from './call/request.ts'
export type {
  CallError,
  ClientError,
  CodeOf,
  Failure,
  ResponseFacts,
  Result,
  Success,
} from './call/result.ts'
export { TroupeError, unwrap } from './call/troupe-error.ts'
export { createClient, type TroupeClient } from './create-client.ts'
export { createSessionStreams, type SessionStreams } from './create-session-streams.ts'
export type { AnswerUpdate } from './stream/answer-text.ts'
export type { RunStream } from './stream/run-stream.ts'
export type { ReadOptions } from './stream/stream-call.ts'
export type { RunEndCode } from './stream/terminal-result.ts'
