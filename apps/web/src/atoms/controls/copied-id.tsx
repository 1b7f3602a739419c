import { shortId } from '../../core/format/short-id.ts'
import { CopyButton } from './copy-field.tsx'

/** An id, the generated ones shortened, with a button that copies all of it. */
export function CopiedId({ id, label }: { id: string; label: string }) {
  return (
    <>
      <code translate="no" title={id}>
        {shortId(id)}
      </code>
      <CopyButton label={label} text={id} />
    </>
  )
}
