import type { SignInPlace } from '@troupe/contract/builder'
import { focusNext, pageHeading } from '../../atoms/focus/focus-next.ts'
import { Card, RowList, Section } from '../../atoms/layout/page.tsx'
import { showNotice } from '../../atoms/overlays/notice-store.ts'
import { SendButton } from '../../atoms/overlays/send-button.tsx'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { FailurePanel } from '../../atoms/states/failure-panel.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { accountWords as words } from '../../core/messages/en/account.ts'
import { useChange, useOperation } from '../../infrastructure/queries/use-operation.ts'

/** The browsers in which the person is signed in; the others can be signed out. */
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
            return {
              id: signInId,
              title: browser,
              detail: (
                <>
                  {ip}, {words.since} <MomentText at={createdAt} />
                </>
              ),
              end: isCurrent ? words.thisBrowser : null,
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
