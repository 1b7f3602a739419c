export type { RecordedBody, RecordedRequest } from './recorded-request.ts'
export type { ModelReply, ReplyToolCall, ReplyUsage } from './reply.ts'
export { type ModelServer, type ModelServerOptions, startModelServer } from './server.ts'
