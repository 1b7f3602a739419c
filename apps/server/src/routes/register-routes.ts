import type { App } from '@troupe/http/server-types'
import { listenedForms, publishedForms } from '../pages/forms/form-sources.ts'
import { registerFormPages } from '../pages/forms/register-form-pages.ts'
import { registerPeople } from '../pages/people/register-people.ts'
import { registerPageAssets } from '../pages/register-page-assets.ts'
import { registerApprovalPages } from '../pages/reviews/register-approval-pages.ts'
import { registerReviewPages } from '../pages/reviews/register-review-pages.ts'
import { registerVoiceTry } from '../pages/voice/register-voice-try.ts'
import { registerWeb } from '../pages/web/register-web.ts'
import type { Context } from '../wiring/context.ts'
import { registerBundleArchives } from './builder/bundle-archives.ts'
import { registerBundles } from './builder/bundles.ts'
import { registerMcpServerTools } from './builder/mcp-server-tools.ts'
import { registerObservation } from './builder/observation.ts'
import { registerOrganization } from './builder/organization.ts'
import { registerPasswordResetLinks } from './builder/password-reset-links.ts'
import { registerPlayground } from './builder/playground.ts'
import { registerPrompts } from './builder/prompts.ts'
import { registerMemberReviews } from './builder/reviews.ts'
import { registerRunnables } from './builder/runnables.ts'
import { registerObservedRuns } from './builder/runs.ts'
import { registerBuilderSession } from './builder/session.ts'
import { registerWorkflows } from './builder/workflows.ts'
import { registerDocs } from './docs/register-docs.ts'
import { registerListeners } from './listeners.ts'
import { registerMonitoring } from './monitoring/register-monitoring.ts'
import { registerAgents } from './v1/agents.ts'
import { registerApprovals } from './v1/approvals.ts'
import { registerCalls } from './v1/calls.ts'
import { registerForms } from './v1/forms.ts'
import { registerKnowledge } from './v1/knowledge.ts'
import { registerMcp } from './v1/mcp.ts'
import { registerMemories } from './v1/memories.ts'
import { registerOpenAi } from './v1/openai.ts'
import { registerOrganizations } from './v1/organizations.ts'
import { registerReviews } from './v1/reviews.ts'
import { registerRunnableRuns } from './v1/runnable-runs.ts'
import { RunStreams } from './v1/runs.ts'
import { registerSessions } from './v1/sessions.ts'
import { registerSkills } from './v1/skills.ts'
import { registerTools } from './v1/tools.ts'
import { registerUsage } from './v1/usage.ts'
import { registerVoiceSessions } from './v1/voice-sessions.ts'
import { registerWebhooks } from './v1/webhooks.ts'
import { registerWorkflowRuns } from './v1/workflow-runs.ts'

/** Registers every route of the server. */
export function registerRoutes(app: App, context: Context): void {
  const build = registerWeb(app)
  registerOrganizations(app)
  registerAgents(app, context)
  const runs = { ...context, runner: context.runs.runner }
  const streams = new RunStreams(app, runs)
  registerRunnableRuns(app, 'agent', runs, streams)
  registerRunnableRuns(app, 'team', runs, streams)
  registerOpenAi(app, runs, streams)
  registerMcp(app, context)
  registerWorkflowRuns(app, context)
  registerWebhooks(app, context)
  registerForms(app, context)
  registerReviews(app, context)
  registerApprovals(app, context)
  registerKnowledge(app, context)
  registerUsage(app, context)
  registerSessions(app, context)
  registerMemories(app, context)
  registerTools(app, context)
  registerSkills(app, context)
  registerVoiceSessions(app, context)
  registerCalls(app, context.calls)
  registerReviewPages(app, context)
  registerApprovalPages(app, context)
  registerBundles(app, context)
  registerBundleArchives(app, context)
  registerPasswordResetLinks(app, context)
  registerMcpServerTools(app, context)
  registerBuilderSession(app, context, build)
  registerOrganization(app, context)
  registerObservedRuns(app, context, streams)
  registerMemberReviews(app, context)
  registerObservation(app, context)
  registerRunnables(app, context)
  registerPlayground(app, 'agent', context, streams)
  registerPlayground(app, 'team', context, streams)
  registerPrompts(app, context)
  registerWorkflows(app, context)
  registerPageAssets(app)
  registerFormPages(app, context.forms, publishedForms(context.forms))
  registerFormPages(app, context.forms, listenedForms(context.forms))
  registerListeners(app, context)
  registerPeople(app, context)
  registerVoiceTry(app, context)
  const { publicUrl, adminPort } = context.config
  const hasMonitoring = adminPort === null
  registerDocs(app, { publicUrl, hasMonitoring })
  if (hasMonitoring) registerMonitoring(app, context)
}
