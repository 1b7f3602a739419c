import { STREAM_EVENTS } from '@troupe/contract'
import type { JsonSchema, SchemaWriter } from './schema-writer.ts'

/**
 * The schema of `text/event-stream`. OpenAPI 3.1 has no keyword for sequences, so the schema describes each event, as
 * `itemSchema` does in OpenAPI 3.2, with the payload as JSON inside the text of `data`.
 *
 * @param payload schema of the data of each event
 */
export function eventStreamSchema(payload: unknown, writer: SchemaWriter): JsonSchema {
  return writer.component('ServerSentEvent', () => ({
    type: 'object',
    description:
      'One event of the stream, which is UTF-8 text of the media type `text/event-stream`. Other lines are a `retry` ' +
      'at the beginning and a comment every 15 seconds.',
    required: ['id', 'event', 'data'],
    properties: {
      id: {
        type: 'string',
        pattern: '^[1-9][0-9]*$',
        description: 'The `seq` of the event. Send the last one as `Last-Event-ID` to continue after it.',
      },
      event: { type: 'string', enum: Object.keys(STREAM_EVENTS), description: 'The name of the event.' },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: writer.write(payload) },
    },
  }))
}
