import type { SqlClient } from '../sql/client/sql-client.ts'
import { changes } from './changes/changes.ts'
import { attention } from './home/attention.ts'
import { observedDay } from './home/observed-day.ts'
import type { Observation } from './port/observation.ts'
import { failureCauses } from './runs/failure-causes.ts'
import { findPrompts } from './runs/find-prompts.ts'
import { findObservedRun } from './runs/find-run.ts'
import { findRepeatableRun, findRunHead } from './runs/find-run-head.ts'
import { runHistogram } from './runs/histogram.ts'
import { findObservedNode, observedNodeOutputs, pageObservedNodes } from './runs/node-list.ts'
import { pageRuns } from './runs/page-runs.ts'
import { findTestSource, sampleSteps } from './runs/test-source.ts'
import { search } from './search/search.ts'
import { findObservedSession, pageObservedSessions } from './sessions/sessions.ts'
import { pageObservedVoiceSessions } from './sessions/voice-sessions.ts'

/** Views of runs for people, over hand-written SQL. */
export function observation(client: SqlClient): Observation {
  return {
    runs: pageRuns(client),
    failureCauses: failureCauses(client),
    run: findObservedRun(client),
    prompts: findPrompts(client),
    runHead: findRunHead(client),
    repeatableRun: findRepeatableRun(client),
    nodes: pageObservedNodes(client),
    node: findObservedNode(client),
    nodeOutputs: observedNodeOutputs(client),
    testSource: findTestSource(client),
    stepSamples: sampleSteps(client),
    attention: attention(client),
    day: observedDay(client),
    search: search(client),
    changes: changes(client),
    histogram: runHistogram(client),
    sessions: pageObservedSessions(client),
    session: findObservedSession(client),
    voiceSessions: pageObservedVoiceSessions(client),
  }
}
