import type { Graph } from '@troupe/graph'
import { DraftDocument } from '../document/draft-document.ts'
import { coalesce, type Patch } from '../document/patch.ts'
import { transact } from '../document/transaction.ts'
import { replaceDraft } from './replace-draft.ts'

/** The fewest patches that turn one draft into another. If parts share an id, the first counts. */
export function differenceBetween(from: Graph, to: Graph): Patch[] {
  const outcome = transact(new DraftDocument(from), (tx) => replaceDraft(tx, to))
  return outcome.ok ? coalesce(outcome.patches) : []
}
