export type { WorkflowDependencies } from './execution/dependencies.ts'
export { LoopShares } from './execution/loop-shares.ts'
export { runStartOf } from './execution/run-start.ts'
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
export { type TraceSecrets, traceSecretsOf } from './trace/trace-secrets.ts'
export { traceValue } from './trace/trace-value.ts'
