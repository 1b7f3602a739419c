import type { HeavyWork } from '@troupe/heavy-work'
import type { CodeSandbox } from './code/code-sandbox.ts'
import { readBoundedDocument } from './openapi/read-bounded-document.ts'

/** Checks the texts of configurations as they are read when tools are made. Its functions throw BusyError for what was not read. */
export function createSourceCheck(sandbox: Pick<CodeSandbox, 'problemOf'>, heavy: HeavyWork) {
  return {
    scriptProblem: (source: string, owner: string) => sandbox.problemOf(source, owner),
    async documentFindings(document: string | object, operations: readonly string[] | null, owner: string) {
      const text = typeof document === 'string' ? document : JSON.stringify(document)
      const read = await readBoundedDocument({ heavy, owner }, { text, address: null, allowed: operations })
      return { problem: read.ok ? null : read.problem, leftOut: read.leftOut }
    },
  }
}
