import type { ListenerId } from '@troupe/contract'
import type { CompiledGraph } from '@troupe/graph'
import type { Form } from '@troupe/nodes/form'
import type { FormReader, FormRecord } from '@troupe/storage'
import type { WorkflowGraphs } from '../workflows/workflow-graphs.ts'
import { formOfGraph, hasSteps } from './form-of-graph.ts'
import { hashFormToken } from './form-token.ts'

const LONGEST_TOKEN = 200

/** A form for visitors: the published one, or that of a draft while a listener is open. */
export interface OpenForm extends Omit<FormRecord, 'versionId'> {
  tokenHash: string
  form: Form
  /** The listener that receives its submissions; null: submissions start runs. */
  listenerId: ListenerId | null
}

/** A form whose submissions start runs. */
export interface PublishedForm extends OpenForm, Pick<FormRecord, 'versionId'> {
  listenerId: null
  /** Whether the graph has nodes other than triggers and notes. */
  hasSteps: boolean
}

interface FormFacts {
  form: Form | null
  hasSteps: boolean
}

/** Finds forms by their tokens, with one uncached read each, so that a publish takes effect immediately. */
export class PublishedForms {
  readonly #read: Pick<FormReader, 'byToken'>
  readonly #graphs: Pick<WorkflowGraphs, 'compiled'>
  /** Keyed weakly: compiled graphs are immutable and cached by {@link WorkflowGraphs}. */
  readonly #facts = new WeakMap<CompiledGraph, FormFacts>()

  constructor(read: Pick<FormReader, 'byToken'>, graphs: Pick<WorkflowGraphs, 'compiled'>) {
    this.#read = read
    this.#graphs = graphs
  }

  /**
   * null for every token without a live form: unknown, unpublished, deleted, or published without a Form
   * Trigger.
   */
  async find(token: string): Promise<PublishedForm | null> {
    if (token.length > LONGEST_TOKEN) return null
    const tokenHash = hashFormToken(token)
    const record = await this.#read.byToken(tokenHash)
    if (!record) return null
    const graph = await this.#graphs.compiled(record.organizationId, record.versionId)
    const facts = graph && this.#factsOf(graph)
    return facts?.form
      ? { ...record, tokenHash, form: facts.form, listenerId: null, hasSteps: facts.hasSteps }
      : null
  }

  #factsOf(graph: CompiledGraph): FormFacts {
    const known = this.#facts.get(graph)
    if (known) return known
    const nodes = [...graph.nodes.values()]
    const facts = { form: formOfGraph({ nodes }), hasSteps: hasSteps({ nodes }) }
    this.#facts.set(graph, facts)
    return facts
  }
}
