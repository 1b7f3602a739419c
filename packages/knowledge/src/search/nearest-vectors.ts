/** Concatenated vectors of passages. */
export interface PassageVectors {
  ids: readonly string[]
  /** The values of a vector. */
  dims: number
  values: Float32Array
}

interface Near {
  id: string
  similarity: number
}

const order = (a: Near, b: Near) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1)

/**
 * Compares a unit vector with those of passages, in batches: 10,000 of 384 values take about 10 ms. The products are summed in double
 * precision and in order, as PostgreSQL sums them.
 */
export class NearestVectors {
  readonly #vector: Float64Array
  readonly #limit: number
  #best: Near[] = []
  #least = Number.NEGATIVE_INFINITY

  constructor(vector: readonly number[], limit: number) {
    this.#vector = Float64Array.from(vector, Math.fround)
    this.#limit = limit
  }

  /** Compares with the vectors of a batch of passages; those of another length are omitted. */
  look({ ids, dims, values }: PassageVectors): void {
    const vector = this.#vector
    if (dims !== vector.length) return
    for (let passage = 0; passage < ids.length; passage += 1) {
      const from = passage * dims
      let similarity = 0
      for (let at = 0; at < dims; at += 1) similarity += (values[from + at] ?? 0) * (vector[at] ?? 0)
      if (similarity >= this.#least) this.#add({ id: ids[passage] ?? '', similarity })
    }
  }

  /** Sorts only occasionally: most passages are not among the nearest. */
  #add(near: Near): void {
    this.#best.push(near)
    if (this.#best.length < 2 * this.#limit) return
    this.#best = this.found
    this.#least = this.#best.at(-1)?.similarity ?? this.#least
  }

  /** The nearest so far, nearest first; equally near ones by their ids. */
  get found(): Near[] {
    return this.#best.toSorted(order).slice(0, this.#limit)
  }
}
