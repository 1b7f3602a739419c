import type { MemberRun } from '../ports/run-store.ts'

/** The ended member runs of a root run, and which of them are stored. */
export class MembersLog {
  readonly all: MemberRun[] = []
  readonly #written = new Set<string>()

  add(run: MemberRun): void {
    this.all.push(run)
  }

  /** Adds a member run that an earlier turn of the job has stored. */
  restore(run: MemberRun): void {
    this.all.push(run)
    this.#written.add(run.runId)
  }

  unwritten(): MemberRun[] {
    return this.all.filter((run) => !this.#written.has(run.runId))
  }

  markWritten(runs: readonly MemberRun[]): void {
    for (const run of runs) this.#written.add(run.runId)
  }
}
