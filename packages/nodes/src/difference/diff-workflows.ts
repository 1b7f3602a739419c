import { diffGraphs, diffTokens, type Graph, type GraphDifference, type TokenDifference } from '@troupe/graph'
import { NODE_TYPES } from '../definitions.ts'
import { diffForms, type FormDifference } from './diff-forms.ts'
import { diffOutputs, type OutputDifference } from './diff-outputs.ts'

/** The differences between two graphs for builders, callers and visitors of the form. */
export interface WorkflowDifference extends GraphDifference {
  tokens: TokenDifference
  /** null: the outputs of runs have the same shape. */
  output: OutputDifference | null
  /** null: the same form, or none in both. */
  form: FormDifference | null
}

/** Compares two graphs. Either may be a draft with mistakes. */
export function diffWorkflows(before: Graph, after: Graph): WorkflowDifference {
  return {
    ...diffGraphs(before, after),
    tokens: diffTokens(before, after, NODE_TYPES),
    output: diffOutputs(before, after),
    form: diffForms(before, after),
  }
}
