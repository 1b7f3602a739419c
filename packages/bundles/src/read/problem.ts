import { DomainError, type FieldError } from '@troupe/contract'

/** One problem that prevents applying a bundle. */
export interface BundleProblem {
  /** The path of the value, for example `organizations.0.agents.1.slug`; empty for the complete text. */
  path: string
  message: string
  /** 1-based line of the text; null if the path is not in the text. */
  line: number | null
  /** Set if a program can continue: the bundle of another organization can be adopted. */
  reason?: 'other_organization'
}

const WITH_LINE = / \(line (\d+)\)$/

/** The problem in the API's error format; the line is part of the message. */
function toFieldError({ path, message, line }: BundleProblem): FieldError {
  return { path, message: line === null ? message : `${message} (line ${line})` }
}

/** The inverse of {@link toFieldError}, for clients. */
export function fromFieldError({ path, message }: FieldError): BundleProblem {
  const line = WITH_LINE.exec(message)?.[1]
  return line === undefined
    ? { path, message, line: null }
    : { path, message: message.replace(WITH_LINE, ''), line: Number(line) }
}

/** The bundle is not valid. Nothing was applied. */
export class BundleError extends DomainError {
  /** In text order. */
  readonly problems: readonly BundleProblem[]

  constructor(problems: readonly BundleProblem[]) {
    const sorted = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
    super('validation_error', 'The bundle is not valid; nothing was applied.', {
      errors: sorted.map(toFieldError),
    })
    this.problems = sorted
  }
}

/** One problem per line in compiler format: `file:line  path  message`. */
export function formatProblems(file: string, problems: readonly BundleProblem[]): string {
  return problems
    .map(({ path, message, line }) =>
      [line === null ? file : `${file}:${line}`, path, message].filter((part) => part !== '').join('  '),
    )
    .join('\n')
}
