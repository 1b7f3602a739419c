import { shortId } from '../../core/format/short-id.ts'
import { CopyButton } from './copy-field.tsx'

/** An id with a button that copies it. Generated ids are displayed shortened, and copied in full. */
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
