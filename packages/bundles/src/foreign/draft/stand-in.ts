import { type Conversion, type Exits, oneStep } from './conversion.ts'
import { limited, limitedText } from './limited.ts'
import { marker } from './marker.ts'
import type { SourceFormat } from './report.ts'

/** The fields that later steps read from a stand-in. */
export type ReadFields = ReadonlySet<string>

const MAX_FIELDS = 200
const MAX_KEY = 128

/**
 * A step that keeps the place of a node without a counterpart: an Edit Fields with the fields that later steps read.
 * Each field is a token that no run can resolve, so that no run continues as if the node had worked.
 */
export function standIn(
  format: SourceFormat,
  node: { name: string },
  rest: { read: ReadFields; exits: Exits; note: string; remarks?: string[]; words?: string },
): Conversion {
  const { read, exits, note, words } = rest
  const remarks = [...(rest.remarks ?? [])]
  const names = [...read].map((name) =>
    limitedText(name, MAX_KEY, 'name of a field that later steps read', remarks),
  )
  const fields = limited([...new Set(names)], MAX_FIELDS, 'fields that later steps read', remarks)
  const rows = (fields.length === 0 ? ['result'] : fields).map((name) => ({
    name,
    value: marker(format, words ?? `"${name}" of ${node.name}`),
    mode: 'expression',
  }))
  return oneStep({ type: 'edit-fields', config: { rows } }, exits, { outcome: 'stand_in', note, remarks })
}

/** A step without an effect, for a node that passes on its input: the steps after it read the output of the step before it. */
export function passThrough(exits: Exits, remarks: string[] = []): Conversion {
  return oneStep({ type: 'edit-fields', config: { rows: [] } }, exits, { remarks })
}
