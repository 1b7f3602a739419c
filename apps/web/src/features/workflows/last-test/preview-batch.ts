import type { NodePreview } from '@troupe/contract/builder'

/** Maximum steps of one request, set by the server. */
const AT_ONCE = 32
/** Steps that become visible during a pan are requested together; a step that leaves the view before is not requested. */
const REST_MS = 150

/** A step in one frame of a run. */
interface PreviewPlace {
  nodeId: string
  /** Empty, or the iteration: `loop1[3]`. */
  path: string
}

const placeKey = ({ path, nodeId }: PreviewPlace): string => `${path} ${nodeId}`

/** A request to the server: steps of one frame. */
type AskPreviews = (path: string, nodeIds: readonly string[]) => Promise<readonly NodePreview[]>

/** Previews of the visible steps of one run, each requested once. A failed request is repeated when a step becomes visible. */
export class PreviewBatch {
  readonly #ask: AskPreviews
  readonly #onChange: () => void
  readonly #known = new Map<string, NodePreview | null>()
  readonly #wanted = new Map<string, PreviewPlace>()
  #resting: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(ask: AskPreviews, onChange: () => void) {
    this.#ask = ask
    this.#onChange = onChange
  }

  /** null: nothing is stored; undefined: not loaded yet. */
  get(place: PreviewPlace): NodePreview | null | undefined {
    return this.#known.get(placeKey(place))
  }

  /** Marks the step as visible until the returned function is called. */
  want(place: PreviewPlace): () => void {
    const key = placeKey(place)
    if (this.#known.has(key)) return () => undefined
    this.#wanted.set(key, place)
    this.#resting ??= setTimeout(() => void this.#send(), REST_MS)
    return () => this.#wanted.delete(key)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#resting)
  }

  async #send(): Promise<void> {
    const wanted = [...this.#wanted.values()]
    this.#wanted.clear()
    for (const [path, places] of Map.groupBy(wanted, (place) => place.path)) {
      for (let from = 0; from < places.length; from += AT_ONCE) {
        const nodeIds = places.slice(from, from + AT_ONCE).map(({ nodeId }) => nodeId)
        const answer = await this.#ask(path, nodeIds).catch(() => null)
        if (this.#isClosed) return
        for (const nodeId of answer === null ? [] : nodeIds) {
          const found = answer?.find((one) => one.nodeId === nodeId) ?? null
          this.#known.set(placeKey({ path, nodeId }), found)
        }
        this.#onChange()
      }
    }
    this.#resting = undefined
    if (this.#wanted.size > 0) this.#resting = setTimeout(() => void this.#send(), REST_MS)
  }
}
