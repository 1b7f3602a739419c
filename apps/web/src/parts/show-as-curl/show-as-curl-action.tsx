import type { IdText, OrganizationId } from '@troupe/contract'
import { Terminal } from 'lucide-react'
import { useState } from 'react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { TextLink } from '../../atoms/controls/text-link.tsx'
import { Dialog } from '../../atoms/overlays/dialog.tsx'
import { curlWords } from '../../core/messages/en/settings/bundle.ts'
import { curlCommand } from '../../core/snippets/curl.ts'
import { OPERATION_TABLE } from '../../infrastructure/client/operation-rows.ts'
import type { AnyInput, OperationName } from '../../infrastructure/client/operation-types.ts'
import { requestUrl } from '../../infrastructure/client/request-url.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import styles from './show-as-curl.module.css'

/** An operation of the builder's API with the page's input. */
export interface ShownRequest {
  /** "List the agents". */
  title: string
  operation: OperationName
  input: AnyInput
}

export interface ShowAsCurlActionProps {
  requests: readonly ShownRequest[]
}

/** The button *Show as curl* with its dialog. For a menu there is `ShowAsCurlDialog`. */
export function ShowAsCurlAction({ requests }: ShowAsCurlActionProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button emphasis="quiet" icon={<Terminal size={14} />} onPress={() => setOpen(true)}>
        <span data-rare>{curlWords.action}</span>
      </Button>
      {isOpen && <ShowAsCurlDialog requests={requests} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The page's requests, as commands for a shell. */
export function ShowAsCurlDialog({
  requests,
  onClose,
}: Pick<ShowAsCurlActionProps, 'requests'> & { onClose(): void }) {
  const { session, membership, paths } = usePlace()
  return (
    <Dialog isOpen onClose={onClose} title={curlWords.action} width="wide">
      <p>
        {curlWords.detail} <TextLink href={paths.settings('api')}>{curlWords.publicApi}</TextLink>
      </p>
      {requests.map((request) => (
        <section key={request.title} className={styles.request} aria-label={request.title}>
          <h3 className={styles.title}>{request.title}</h3>
          <CodeBlock
            label={curlWords.command(request.title)}
            text={commandOf(request, session.server.publicUrl, membership.slug)}
          />
        </section>
      ))}
    </Dialog>
  )
}

function commandOf(
  { operation, input }: ShownRequest,
  publicUrl: string,
  organizationId: IdText<OrganizationId>,
): string {
  const row = OPERATION_TABLE[operation]
  if (!row) throw new TypeError(`no operation is called ${operation}`)
  const { body } = input
  return curlCommand({
    method: row.method,
    url: `${publicUrl.replace(/\/$/, '')}${requestUrl(row.path, organizationId, input)}`,
    headers: {
      Authorization: 'Bearer $TROUPE_ADMIN_TOKEN',
      ...(body === undefined ? {} : { 'Content-Type': row.bodyType }),
    },
    ...(body === undefined ? {} : { body }),
    isStream: row.isStream,
  })
}
