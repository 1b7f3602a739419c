/** The spread of the vectors of a cluster; 0.5 makes those of a topic similar by about 0.8. */
const SPREAD = 0.5
/** The distance of a question from its passage. */
const DISTANCE = 0.3

/**
 * Vectors of length 1 in clusters, like embeddings of texts: uniformly random vectors are all equally distant, so
 * finding the nearest ones would prove nothing. The same on every machine.
 */
export class ClusteredVectors {
  readonly #vectors: Float32Array[]
  readonly #near = new Map<number, Float32Array>()
  #state = 1

  constructor({ count, dims, clusters }: { count: number; dims: number; clusters: number }) {
    const zero = new Float32Array(dims)
    const centres = Array.from({ length: clusters }, () => this.#around(zero, 1))
    this.#vectors = Array.from({ length: count }, () =>
      this.#around(centres[Math.floor(this.random() * clusters)] ?? zero, SPREAD),
    )
  }

  /** 0 to 1: mulberry32. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  at(index: number): number[] {
    return [...(this.#vectors[index] ?? [])]
  }

  /** A vector near the one at an index, always the same. */
  near(index: number): number[] {
    const known = this.#near.get(index) ?? this.#around(this.#vectors[index] ?? new Float32Array(), DISTANCE)
    this.#near.set(index, known)
    return [...known]
  }

  /** The indexes of the vectors nearest to `near(index)`, by comparing all of them. */
  nearest(index: number, count: number): number[] {
    const to = this.near(index)
    const products = this.#vectors.map((vector, at) => ({ at, product: product(vector, to) }))
    return products
      .toSorted((a, b) => b.product - a.product)
      .slice(0, count)
      .map(({ at }) => at)
  }

  #around(centre: Float32Array, spread: number): Float32Array {
    const scale = spread / Math.sqrt(centre.length)
    const vector = centre.map((value) => value + scale * this.#normal())
    const length = Math.sqrt(product(vector, vector))
    return vector.map((value) => value / length)
  }

  /** Normally distributed: Box and Muller. */
  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random())) * Math.cos(2 * Math.PI * this.random())
  }
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
