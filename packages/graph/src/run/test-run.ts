import type { WorkflowRunId } from '@troupe/contract'
/** The origin of a seed: pinned to the step, a past run, the mock of a test case, or typed for this test. */
export type SeedOrigin = 'pin' | 'run' | 'mock' | 'typed'

/** A stored result that a step of a test run takes instead of running; consumed when the step becomes ready. */
export interface Seed {
  nodeId: string
  /** The frame: empty for the root, otherwise `loop1[3]`; null for every frame. A seed of one frame takes precedence over one of every frame. */
  path: string | null
  /** The output; a list for a Loop, unless `iterations` is set. */
  output: unknown
  /** The handles that the step takes; null for its only one, or `done` of a Loop. */
  handles: readonly string[] | null
  /** Values of variables after the step; set if a whole Loop is seeded, or its first iterations. */
  variables: Readonly<Record<string, unknown>> | null
  /**
   * Set for a Loop: the outputs of exactly the iterations before the chosen one; null: `output` seeds the whole Loop.
   */
  iterations: readonly unknown[] | null
  origin: SeedOrigin
  /** The run that it was copied from; null for other origins. */
  fromRunId: WorkflowRunId | null
}

/**
 * Which steps a test run executes. `all`: as in production. `only`: one step. `until`: one step and those before it.
 * `from`: one step and those after it. Results that these steps need from others are seeded (effects) or computed again
 * (pure steps).
 */
export interface TestScope {
  kind: 'all' | 'only' | 'until' | 'from'
  /** Null for `all`. */
  nodeId: string | null
  /** The iterations around the step: `loop1[3]/inner[0]`; null: the first of each Loop. */
  path: string | null
}

/** The properties that make a run a test run. Data of the run, which never change. */
export interface TestOfRun {
  scope: TestScope
  seeds: readonly Seed[]
}

/** The iterations of the Loop around the step of the scope; `every`: no such Loop. */
export type PlannedIterations = 'every' | 'before' | 'chosen' | 'after'

/** A step of a plan. A step in a Loop can be listed once for each kind of iteration. */
export interface PlannedStep {
  nodeId: string
  iterations: PlannedIterations
  /** False when the step is reached only if other steps take certain handles, or if a Loop has such iterations. */
  certain: boolean
}

/** Why a step of a test run has no usable result. */
export type MissingReason =
  /** It has an effect, must not run, and there is no seed. */
  | { kind: 'no_result' }
  /** The seed takes a handle that the step no longer has, or does not name one of several. */
  | { kind: 'handle'; handles: readonly string[] | null }
  /** The seed of a Loop is not a list. */
  | { kind: 'not_a_list' }
  /** The first `needed` iterations of a Loop must not run, and only `found` of them have results. */
  | { kind: 'iterations'; needed: number; found: number }

/** Why a test run cannot reach a step. */
export type UnreachedReason =
  /** The step `nodeId` takes `taken`; the handles `ways` would lead here. */
  | { kind: 'handles'; nodeId: string; taken: readonly string[]; ways: readonly string[] }
  /** Another trigger starts the run. */
  | { kind: 'trigger' }
  /** No path leads here, as in `UnreachableGroup`. */
  | { kind: 'no_path'; reason: string }

/** The plan of a test run. */
export interface TestPlan {
  /** The trigger that starts it; null if the graph has none. */
  triggerId: string | null
  /**
   * Why the test fails before its first step: the step of the scope does not exist, or no path leads to steps of the
   * scope; else null.
   */
  fault: string | null
  /** Steps of the scope that are executed. */
  runs: readonly PlannedStep[]
  /** Pure steps outside the scope that are computed again because the scope needs them. */
  recomputed: readonly PlannedStep[]
  /** Steps that take a seed. */
  seeded: readonly (PlannedStep & { origin: SeedOrigin; fromRunId: WorkflowRunId | null })[]
  /** Steps that need a result. A test with a `certain` one would fail; others fail only if they are reached. */
  missing: readonly (PlannedStep & { reason: MissingReason })[]
  /** Steps of the scope, and those needed by it, that will not run. */
  unreached: readonly { nodeId: string; iterations: PlannedIterations; because: UnreachedReason }[]
  /** Branching steps whose handle was chosen for this test. */
  forced: readonly { nodeId: string; handles: readonly string[] }[]
  /** Steps of `runs` that have effects; `again`: the source run already had this effect. */
  effects: readonly (PlannedStep & { again: boolean })[]
  /** The seeds that may be consumed, and therefore have to be stored. */
  uses: readonly Seed[]
}
