import type { CodeSandbox } from './code/code-sandbox.ts'
import { readBoundedDocument } from './openapi/read-bounded-document.ts'

/** Checks the texts of configurations as they are read when tools are made. */
export function createSourceCheck(sandbox: Pick<CodeSandbox, 'problemOf'>) {
  return {
    scriptProblem: (source: string) => sandbox.problemOf(source),
    async documentFindings(document: string | object, operations: readonly string[] | null) {
      const text = typeof document === 'string' ? document : JSON.stringify(document)
      const read = await readBoundedDocument({ text, address: null, allowed: operations })
      return { problem: read.ok ? null : read.problem, leftOut: read.leftOut }
    },
  }
}
