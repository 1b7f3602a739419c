import { type Static, Type } from 'typebox'
import { defineOperation } from '../../operation/operation.ts'
import { Choice } from '../../schema/choice.ts'
import { Nullable } from '../../schema/nullable.ts'
import { ORGANIZATION_PATH, organizationParams } from '../operation/paths.ts'

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
const TOPIC = `(?:runs|reviews|configuration|(?:workflow-run|workflow|deliveries|presence|listeners|pins|unsaved):${UUID})`

/** The data of an event: the changed resource, never the change. The page refetches what it shows. */
export const ChangeEvent = Type.Object({
  event: Choice(['ready', 'changed'], {
    description:
      '`ready`: the first event of a connection; changes before it are not reported, so pages read after it. Only those of ' +
      '`configuration` within `coveredMs` before it follow.',
  }),
  coveredMs: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        'With `ready`: changes of `configuration` of this many milliseconds before it follow, whether or not they were ' +
        'reported to another connection. 0 after very many changes. null with `changed`, and without that topic.',
    }),
  ),
  topic: Nullable(Type.String({ description: 'One of the requested topics; null with `ready`.' })),
  change: Nullable(
    Type.Object(
      {
        entryId: Type.Integer({ description: 'Of the audit log; the same change always has the same.' }),
        action: Type.String({ description: '`agent.updated`, as in the audit log.' }),
        entityKind: Type.String(),
        entityId: Type.String(),
      },
      { description: 'Of the topic `configuration`.' },
    ),
  ),
  draft: Nullable(
    Type.Object(
      {
        revision: Type.Integer({ description: 'Of the draft now.' }),
        isAlone: Type.Boolean({
          description: 'Nothing else of the workflow has changed, such as what is published.',
        }),
      },
      { description: 'Of a topic `workflow:<id>`, when the draft has changed; null otherwise.' },
    ),
  ),
})
export type ChangeEvent = Static<typeof ChangeEvent>

export const streamEventsForBuilder = defineOperation({
  id: 'streamEvents',
  method: 'GET',
  path: `${ORGANIZATION_PATH}/events`,
  tag: 'Events',
  summary: 'Stream changes',
  description:
    'Server-sent events, at most one a topic in half a second. A comment every 15 seconds keeps the connection. It is ' +
    'closed soon after the person has signed out or lost access. At most 8 connections a person and process.',
  access: 'builder',
  needs: 'read',
  params: Type.Object(organizationParams),
  query: Type.Object({
    topics: Type.String({
      maxLength: 4_000,
      pattern: `^${TOPIC}(?:,${TOPIC}){0,49}$`,
      patternMessage:
        'must be a list, separated by commas, of at most 50 of: runs, reviews, configuration, workflow-run:<id>, workflow:<id>, deliveries:<workflow id>, presence:<workflow id>, listeners:<workflow id>, pins:<workflow id>, unsaved:<id of an agent or another thing>',
      description: '`runs,reviews,workflow-run:<id>`',
    }),
  }),
  success: { status: 200, description: 'The event stream.', body: ChangeEvent, type: 'text/event-stream' },
  errors: ['validation_error'],
})
