import { hash } from 'node:crypto'
import { isJsonObject, propertyOf } from '@troupe/contract'
import { storableJson } from '../sql/client/storable.ts'

/** Bytes of the hash of one node or edge. */
export const PART_HASH_BYTES = 8

/**
 * The hash of a node without its position: moving a step does not change any run. The order and the text of its keys
 * are included, because models see both.
 */
export function nodeHash(node: unknown): Buffer {
  if (!isJsonObject(node)) return partHash(storableJson(node))
  const { position: _position, ...rest } = node
  return partHash(storableJson(rest))
}

/** The hash of an edge from its stored JSON. */
export function partHash(json: string): Buffer {
  return hash('sha256', json, 'buffer').subarray(0, PART_HASH_BYTES)
}

/** The hashes of the parts of a graph, concatenated. */
export interface PartHashes {
  nodes: readonly Uint8Array[]
  edges: readonly Uint8Array[]
  expose: string | null
}

/**
 * The hash of a graph, computed from the hashes of its parts so that a save only hashes the parts that it changes. 64
 * bits, the size of the column: it detects whether a draft equals a version and is not a security measure.
 */
export function hashOfParts({ nodes, edges, expose }: PartHashes): string {
  const lists = [nodes, edges].map((list) => hash('sha256', Buffer.concat(list), 'buffer'))
  const whole = hash('sha256', Buffer.concat([...lists, Buffer.from(expose ?? '')]), 'buffer')
  return String(whole.readBigInt64BE(0))
}

/** The hash of a whole graph. */
export function graphHash(graph: unknown): string {
  const listOf = (name: string): unknown[] => {
    const list = propertyOf(graph, name)
    return Array.isArray(list) ? list : []
  }
  const expose = propertyOf(graph, 'expose')
  return hashOfParts({
    nodes: listOf('nodes').map(nodeHash),
    edges: listOf('edges').map((edge) => partHash(storableJson(edge))),
    expose: typeof expose === 'string' ? expose : null,
  })
}
