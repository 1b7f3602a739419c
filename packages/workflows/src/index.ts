export {
  changesOf,
  proposedOn,
  type ValueChange,
  valuesOfRun,
  withChanges,
} from './reviews/value-changes.ts'
export { nodeServices } from './runner/node-services.ts'
export { TestsInFlight } from './runner/tests-in-flight.ts'
export { VersionChanged } from './runner/version-changed.ts'
export { WorkflowLane } from './runner/workflow-lane.ts'
export {
  type EndedWorkflowRun,
  type StartedRun,
  WorkflowRunner,
  type WorkflowRunRequest,
} from './runner/workflow-runner.ts'
export type { WorkflowDependencies } from './slice/dependencies.ts'
export { LoopShares } from './slice/loop-shares.ts'
export { runStartOf } from './slice/run-start.ts'
export { type TraceSecrets, traceSecretsOf } from './trace/trace-secrets.ts'
export { traceValue } from './trace/trace-value.ts'
