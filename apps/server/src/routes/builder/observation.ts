import { BUILDER_OPERATIONS } from '@troupe/contract/builder'
import { onClosed } from '@troupe/http/connections/on-closed'
import { EventStream } from '@troupe/http/event-streams/event-stream'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { ChangeWatch } from '@troupe/operations/events/change-watch'
import { watchedTopics } from '@troupe/operations/events/topics'
import { getDay } from '@troupe/operations/home/get-day'
import { getHome } from '@troupe/operations/home/get-home'
import { searchOrganization } from '@troupe/operations/search/search'
import { getUsageReport } from '@troupe/operations/usage/get-usage-report'
import type { Context } from '../../wiring/context.ts'

/** Dependencies of the routes. */
export type ObservationContext = Pick<Context, 'database' | 'clock' | 'log'>

/** An organization's activity and contents: home, usage, search, and a stream of changes. */
export function registerObservation(app: App, { database, clock, log }: ObservationContext): void {
  const onError = (err: unknown) => log.error({ err }, 'what changed could not be read')
  const watch = new ChangeWatch({ database, onError })
  // Open streams would delay the shutdown; browsers reconnect to another process.
  app.addHook('preClose', async () => watch.closeAll())

  registerOperation(app, BUILDER_OPERATIONS.getHome, ({ caller, query }) => getHome(database, caller, query))
  registerOperation(app, BUILDER_OPERATIONS.getDay, ({ caller, query }) => getDay(database, caller, query))
  registerOperation(app, BUILDER_OPERATIONS.getUsage, ({ caller, query }) =>
    getUsageReport(database.usage, caller, query, clock.now()),
  )
  registerOperation(app, BUILDER_OPERATIONS.search, ({ caller, query }) =>
    searchOrganization(database, caller, query.q),
  )
  registerOperation(
    app,
    BUILDER_OPERATIONS.streamEvents,
    async ({ caller, query, request }, reply): Promise<undefined> => {
      let stream: EventStream | null = null
      const leave = watch.add({
        caller,
        sessionId: request.person?.sessionId ?? null,
        topics: watchedTopics(query.topics),
        send: (event) => stream?.sendNamed(event.event, event),
        close: () => stream?.end(),
      })
      reply.hijack()
      stream = new EventStream(reply.raw, reply.getHeaders())
      // Also for a reader who disconnected during the admission.
      onClosed(reply.raw, leave)
    },
  )
}
