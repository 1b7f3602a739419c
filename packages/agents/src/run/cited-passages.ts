import type { Citation } from '@troupe/contract'
import type { KnowledgePassage } from '../ports/knowledge.ts'
import type { NumberedPassage } from '../ports/tool.ts'

const QUOTE = 300

/** The passages that a root run and its members have retrieved. A passage keeps its number for the whole run. */
export class CitedPassages {
  readonly #byNumber = new Map<number, NumberedPassage>()
  readonly #numbers = new Map<string, number>()
  #last = 0

  /** The passages with their numbers, new ones in order. */
  number(passages: readonly KnowledgePassage[]): NumberedPassage[] {
    return passages.map(({ chunkId, documentId, documentName, page, url, text }) => {
      const n = this.#numbers.get(chunkId) ?? this.#last + 1
      const quote = text.slice(0, QUOTE).toWellFormed()
      const passage = { n, chunkId, documentId, documentName, page, url, quote }
      this.restore([passage])
      return passage
    })
  }

  /** Adds passages that an earlier turn of a job has numbered. */
  restore(passages: readonly NumberedPassage[]): void {
    for (const passage of passages) {
      this.#byNumber.set(passage.n, passage)
      this.#numbers.set(passage.chunkId, passage.n)
      this.#last = Math.max(this.#last, passage.n)
    }
  }

  /** Every passage, by number. */
  get all(): NumberedPassage[] {
    return [...this.#byNumber.values()].toSorted((a, b) => a.n - b.n)
  }

  /** The passages that a text cites as `[n]`, by number; null if the run has retrieved none. */
  citationsIn(text: string): Citation[] | null {
    if (this.#byNumber.size === 0) return null
    const cited = new Set(text.match(/\[\d{1,4}\]/g)?.map((mark) => Number(mark.slice(1, -1))))
    return this.all.flatMap(({ chunkId: _, ...citation }) => (cited.has(citation.n) ? [citation] : []))
  }
}
