import type { OrganizationItem } from './bundle-items.ts'
import type { BundleProblem } from './problem.ts'
import { readBundle } from './read-bundle.ts'
import type { Variables } from './variables.ts'

/** A bundle as text. */
export interface BundleText {
  text: string
  variables: Variables
}

/** The result of `readBundle` as data that can be passed between processes. */
export interface ParsedBundle {
  organizations: readonly OrganizationItem[]
  /** The entries of a `LineIndex`. */
  lines: [string, number][]
  problems: readonly BundleProblem[]
}

/** @throws BundleError as `readBundle` does */
export function parseBundle({ text, variables }: BundleText): ParsedBundle {
  const { organizations, lines, problems } = readBundle(text, variables)
  return { organizations, lines: lines.entries, problems }
}
