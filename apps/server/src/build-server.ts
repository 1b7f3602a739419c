import { registerRoutes } from './api/register-routes.ts'
import type { Context } from './context.ts'
import { createAdmission } from './http/access.ts'
import { createApp } from './http/create-app.ts'
import type { App } from './http/server-types.ts'
import { answerWrongMethods, collectPaths } from './http/wrong-methods.ts'

/** The whole API as a Fastify instance that does not listen yet; usable with `inject`. */
export function buildServer(context: Context): App {
  const app = createApp({ log: context.log, metrics: context.metrics, admit: createAdmission(context) })
  const paths = collectPaths(app)
  registerRoutes(app, context)
  // After everything that was registered above, plugins included.
  app.register(async (scope) => answerWrongMethods(scope, paths))
  return app
}
