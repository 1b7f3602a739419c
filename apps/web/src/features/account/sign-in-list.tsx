import type { SignInPlace } from '@troupe/contract/builder'
import { Monitor, Smartphone } from 'lucide-react'
import { focusNext, pageHeading } from '../../atoms/focus/focus-next.ts'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Badge } from '../../atoms/states/badge.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { accountWords as words } from '../../core/messages/en/account.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'
import styles from './account.module.css'

/** The browsers in which the user is signed in; the others can be signed out. */
export function SignInList() {
  const signIns = useOperation('listSignIns', {})
  return (
    <Section title={words.signIns}>
      <AskedPanel asked={signIns} failed={words.signInsFailed}>
        {({ data }) => <SignInRows signIns={data} />}
      </AskedPanel>
    </Section>
  )
}

/** By the name of the system in the description of a browser. */
const isPhone = (browser: string) => /Android|iOS|iPhone|iPad/.test(browser)

function SignInRows({ signIns }: { signIns: readonly SignInPlace[] }) {
  const end = useChange('endSignIn', { refreshes: ['listSignIns'] })
  const signOut = async ({ signInId, browser }: SignInPlace) => {
    const ended = await end.run({ params: { signInId } })
    if (!ended) return
    showNotice({ title: words.ended(browser ?? words.unknownBrowser) })
    focusNext(pageHeading)
  }
  return (
    <>
      <FailurePanel title={words.endFailed} failure={end.failure} />
      <Card flush>
        <RowList
          label={words.signIns}
          rows={signIns.map((place) => {
            const { signInId, createdAt, isCurrent } = place
            const [browser, ip] = [place.browser ?? words.unknownBrowser, place.ip ?? words.unknownAddress]
            const Device = isPhone(browser) ? Smartphone : Monitor
            return {
              id: signInId,
              title: browser,
              lead: <Device size={16} aria-hidden="true" className={styles.icon} />,
              detail: (
                <>
                  {ip}, {words.since} <MomentText at={createdAt} />
                </>
              ),
              end: isCurrent ? <Badge tone="good">{words.thisBrowser}</Badge> : null,
              actions: isCurrent ? null : (
                <SendButton
                  size="small"
                  aria-label={words.endNamed(browser, ip)}
                  isPending={end.isPending}
                  onPress={() => void signOut(place)}
                >
                  {words.end}
                </SendButton>
              ),
            }
          })}
        />
      </Card>
    </>
  )
}
