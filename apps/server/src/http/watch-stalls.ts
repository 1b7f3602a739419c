import type { StallLog } from '../observability/stall-log.ts'
import type { App } from './server-types.ts'

/** Tells the log of stalls which routes are at work. */
export function watchStalls(app: App, stalls: Pick<StallLog, 'began' | 'ended'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    stalls.began(request, `${request.method} ${request.routeOptions.url ?? '(no route)'}`)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    stalls.ended(request)
    done()
  })
}
