import { findPinnedAgentSubject } from '../agent/agent-subject.ts'
import { learn } from '../memory/learn.ts'
import { keeperOf } from '../memory/recall.ts'
import type { RunToLearnFrom } from '../ports/user-memories.ts'
import type { RunDependencies } from '../run/dependencies.ts'
import { findPinnedTeamSubject } from '../team/team-subject.ts'
import { Ledger } from '../usage/ledger.ts'

/** Maximum runs that one process learns from concurrently. */
const AT_ONCE = 4

/**
 * Extracts memories about users from ended runs. Due runs are marked in their rows, so that another process learns from
 * the run of a killed one.
 */
export class Learner {
  readonly #deps: RunDependencies
  #lanes = 0

  constructor(deps: Omit<RunDependencies, 'learner'>) {
    this.#deps = { ...deps, learner: this }
  }

  /** Starts learning in the background; a run that is missed now is found by the next call. */
  hurry(): void {
    const { active, telemetry } = this.#deps
    if (this.#lanes >= AT_ONCE || active.draining) return
    this.#lanes += 1
    const work = this.#drain()
      .catch((error) => telemetry.backgroundFailed('user memories', error))
      .finally(() => {
        this.#lanes -= 1
      })
    active.background(work)
  }

  async #drain(): Promise<void> {
    const { active, memories, telemetry } = this.#deps
    while (!active.draining) {
      const run = await memories.claim()
      if (run === null) return
      // The run is due again when its claim expires.
      await this.#learn(run).catch((error) => telemetry.backgroundFailed('user memories', error))
    }
  }

  async #learn(run: RunToLearnFrom): Promise<void> {
    const { memories, store } = this.#deps
    const subject = await (run.kind === 'agent'
      ? findPinnedAgentSubject(this.#deps, run)
      : findPinnedTeamSubject(this.#deps, run))
    const settings = subject?.memory.user_memories
    if (!subject?.resolved || !settings?.enabled) {
      await memories.learned(run, null, [])
      return
    }
    // The claim is kept: the run is due again when it expires, until it is a day old.
    if (await store.isOverBudget(run)) return
    const { resolved, name } = subject
    const keeper = keeperOf({ ...run, projectId: subject.projectId, settings }, run.userId)
    const known = await memories.of(keeper, settings.max)
    const ledger = new Ledger()
    try {
      const change = await learn(this.#deps, run, { resolved, agentName: name, known }, ledger)
      await memories.learned(run, { keeper, change, max: settings.max }, ledger.unwritten)
      ledger.take()
    } finally {
      const { runId, organizationId, projectId, userId, tag } = run
      const usage = ledger.unwritten
      if (usage.length > 0) await store.recordUsage({ runId, organizationId, projectId, userId, tag, usage })
    }
  }
}
