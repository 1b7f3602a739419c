import { shortId } from '../../core/format/short-id.ts'

/** An id in a list: a caller's own id unchanged, a generated one shortened and muted. */
export function IdText({ id }: { id: string }) {
  const short = shortId(id)
  if (short === id) return id
  return (
    <span data-none title={id} translate="no">
      {short}
    </span>
  )
}
