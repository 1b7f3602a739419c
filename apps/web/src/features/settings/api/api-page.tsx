import { BookOpen } from 'lucide-react'
import { Suspense } from 'react'
import { CopyField } from '../../../atoms/controls/copy-field.tsx'
import { LinkButton } from '../../../atoms/controls/text-link.tsx'
import { Card, Section } from '../../../atoms/layout/page.tsx'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { Skeleton } from '../../../atoms/states/panels.tsx'
import { apiWords as words } from '../../../core/messages/en/settings/api.ts'
import { SERVER_PATHS } from '../../../core/url/paths.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { SettingsLayout } from '../settings-layout.tsx'

/** The step types define the input of a workflow; they are larger than the page itself. */
const CallSection = lazyPart(async () => (await import('./call-section.tsx')).CallSection)

/** Settings → API: how programs call this organization. */
export function ApiPage() {
  const { session, membership, paths, may } = usePlace()
  const baseUrl = session.server.publicUrl.replace(/\/$/, '')
  return (
    <SettingsLayout
      page="api"
      detail={words.detail}
      actions={
        <LinkButton href={SERVER_PATHS.docs} icon={<BookOpen size={14} />}>
          {words.reference}
        </LinkButton>
      }
    >
      <Section
        title={words.keyTitle}
        detail={words.keyDetail}
        {...(may('manage')
          ? {
              actions: (
                <LinkButton size="small" href={paths.settings('keys')}>
                  {words.keyAction}
                </LinkButton>
              ),
            }
          : {})}
      >
        <Card>
          <CopyField label={words.keyExport} text="export TROUPE_API_KEY=trp_…" />
          <CopyField label={words.address} text={`${baseUrl}/api/v1`} />
          <CopyField label={words.organization} text={membership.organizationId} />
        </Card>
      </Section>
      <Suspense fallback={<Skeleton lines={6} />}>
        <CallSection baseUrl={baseUrl} />
      </Suspense>
      <Section title={words.compatible} detail={words.compatibleDetail}>
        <Card>
          <CopyField label={words.compatibleUrl} text={`${baseUrl}/api/v1/openai`} />
        </Card>
      </Section>
      <Section title={words.mcp} detail={words.mcpDetail}>
        <Card>
          <CopyField label={words.mcpUrl} text={`${baseUrl}/api/v1/mcp`} />
        </Card>
      </Section>
    </SettingsLayout>
  )
}
