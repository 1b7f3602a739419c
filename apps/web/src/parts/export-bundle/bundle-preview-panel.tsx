import { leftOutOfBundle } from '@troupe/contract'
import { Download, FolderArchive } from 'lucide-react'
import { CodeBlock } from '../../atoms/code/code-field.tsx'
import { Button } from '../../atoms/controls/button.tsx'
import { LinkButton } from '../../atoms/controls/text-link.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Callout } from '../../atoms/states/panels.tsx'
import { bundleWords } from '../../core/messages/en/settings/bundle.ts'
import { downloadText } from '../../infrastructure/client/download-text.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { useOperationUrl } from '../../infrastructure/queries/use-operation-url.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { bundleFacts } from './bundle-facts.ts'
import styles from './bundle-preview.module.css'

export interface BundlePreviewPanelProps {
  /** `agent:<id>` and so on; null: the whole organization. */
  include: readonly string[] | null
  /** Whether their dependencies are exported with them. */
  dependencies: boolean
  /** The file name; null: the organization's. */
  name: string | null
}

/** The server's current bundle, to read, copy and download. */
export function BundlePreviewPanel({ include, dependencies, name }: BundlePreviewPanelProps) {
  const { membership } = usePlace()
  const urlOf = useOperationUrl()
  const input = { query: include === null ? {} : { include: include.join(','), dependencies } }
  const bundle = useOperation('exportOrganizationBundle', input, { isFresh: true })
  const fileName = `${name ?? membership.slug}.bundle.yaml`
  return (
    <AskedPanel asked={bundle} failed={bundleWords.exportFailed} lines={8}>
      {(text) => (
        <div className={styles.preview} aria-busy={bundle.isFetching}>
          <div className={styles.head}>
            <span className={styles.facts}>{bundleFacts(text)}</span>
            <Button
              emphasis="primary"
              icon={<Download size={14} />}
              isDisabled={bundle.isFetching}
              onPress={() => downloadText(fileName, text, 'application/yaml')}
            >
              {bundleWords.download}
            </Button>
          </div>
          {leftOutOfBundle(text) !== null && (
            <Callout tone="warn">
              <div className={styles.hint}>
                <span>{bundleWords.leftOut(leftOutOfBundle(text) ?? '')}</span>
                <LinkButton
                  size="small"
                  icon={<FolderArchive size={14} />}
                  href={urlOf('exportOrganizationBundleArchive', input)}
                >
                  {bundleWords.downloadWithFiles}
                </LinkButton>
              </div>
            </Callout>
          )}
          <div className={styles.code}>
            <CodeBlock label={bundleWords.preview} text={text} />
          </div>
        </div>
      )}
    </AskedPanel>
  )
}
