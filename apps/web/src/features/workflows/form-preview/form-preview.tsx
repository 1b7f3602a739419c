import type { IdText, WorkflowId } from '@troupe/contract'
import type { FormPreview as RenderedForm } from '@troupe/contract/builder'
import { Maximize2, Minimize2 } from 'lucide-react'
import { memo, useEffect, useRef, useState } from 'react'
import { Button } from '../../../atoms/controls/button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { formPreviewWords as words } from '../../../core/messages/en/workflows/form-preview.ts'
import styles from './form-preview.module.css'
import { useFormPage } from './use-form-page.ts'

export interface FormPreviewProps {
  workflowId: IdText<WorkflowId>
  /** The settings of the Form Trigger as typed. */
  config: Record<string, unknown>
  /** Whether the page has the whole width, without the fields. */
  isWhole: boolean
  onWhole(isWhole: boolean): void
}

/** The page of a form as visitors see it, updated while its settings are typed. */
export const FormPreview = memo(function FormPreview({
  workflowId,
  config,
  isWhole,
  onWhole,
}: FormPreviewProps) {
  const { preview, failure } = useFormPage(workflowId, config)
  return (
    <section aria-label={words.title} className={styles.preview}>
      <div className={styles.bar}>
        <h3>{words.title}</h3>
        <span className={styles.whole}>
          <Button
            size="small"
            emphasis="quiet"
            icon={isWhole ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
            onPress={() => onWhole(!isWhole)}
          >
            {isWhole ? words.beside : words.whole}
          </Button>
        </span>
      </div>
      <p className={styles.muted}>{words.detail}</p>
      <FailurePanel title={words.failed} failure={failure} />
      {preview === null && failure === null && <Skeleton lines={6} />}
      {preview !== null && preview.faults.length > 0 && (
        <Callout tone="warn">{words.faults(preview.faults.length)}</Callout>
      )}
      {preview !== null && preview.page === null && <p className={styles.muted}>{words.none}</p>}
      {preview?.page && <PageFrame page={preview.page} />}
      {preview?.logoUrl && <p className={styles.muted}>{words.logo(new URL(preview.logoUrl).host)}</p>}
    </section>
  )
})

/**
 * The page in a frame without scripts and submissions. Later pages replace the body of the first one, so that it neither flickers nor
 * scrolls up.
 */
function PageFrame({ page: { html, properties } }: { page: NonNullable<RenderedForm['page']> }) {
  const [first] = useState(html)
  const frame = useRef<HTMLIFrameElement>(null)
  const show = () => {
    const shown = frame.current?.contentDocument
    // Before the first load it is the empty page.
    if (!shown || shown.querySelector('main') === null) return
    const next = new DOMParser().parseFromString(html, 'text/html')
    if (!shown.body.isEqualNode(next.body)) shown.body.replaceWith(shown.adoptNode(next.body))
    shown.documentElement.dataset.brightness = next.documentElement.dataset.brightness ?? 'auto'
    const { style } = shown.documentElement
    for (const name of [...style]) if (!Object.hasOwn(properties, name)) style.removeProperty(name)
    for (const [name, value] of Object.entries(properties)) style.setProperty(name, value)
  }
  useEffect(show)
  return (
    <iframe
      ref={frame}
      title={words.frame}
      className={styles.frame}
      // Its fonts and style sheet are of this server; scripts and submissions stay off.
      sandbox="allow-same-origin"
      srcDoc={first}
      onLoad={() => {
        frame.current?.contentDocument?.addEventListener('submit', (event) => event.preventDefault())
        show()
      }}
    />
  )
}
