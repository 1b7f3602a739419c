import type { PhoneTrunk } from '@troupe/contract/builder'
import { Suspense, useState } from 'react'
import { PageLayout, Section } from '../../atoms/layout/page.tsx'
import { SectionList, sectionPlace } from '../../atoms/layout/section-list.tsx'
import { LazyDialog } from '../../atoms/overlays/lazy-dialog.tsx'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { RefusableButton } from '../../atoms/overlays/refusable-button.tsx'
import { lazyPart } from '../../atoms/parts/lazy-part.ts'
import { AskedPanel } from '../../atoms/states/asked-panel.tsx'
import { Avatar, Skeleton } from '../../atoms/states/panels.tsx'
import { bundleWords } from '../../core/messages/en/settings/bundle.ts'
import { phoneWords } from '../../core/messages/en/voice/phone.ts'
import { numberRows } from '../../core/phone/phone-rows.ts'
import { TRUNK_SECTIONS, type TrunkSection } from '../../core/phone/trunk-sections.ts'
import { countParam } from '../../core/url/search-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useRefusal } from '../../infrastructure/queries/use-refusal.ts'
import { useGoTo, usePathParam, useSearchParams } from '../../infrastructure/routing/place.ts'
import { usePlace } from '../../infrastructure/sign-in/session.ts'
import { ConfirmChange } from '../../parts/confirm-change/confirm-change.tsx'
import { ExportThing } from '../../parts/export-bundle/export-thing.tsx'
import { GoneThing } from '../../parts/gone/gone-thing.tsx'
import { NoMediaServer } from '../../parts/media-server/no-media-server.tsx'
import { NumbersTable } from './numbers-table.tsx'
import styles from './phone.module.css'
import { TrunkBadge } from './trunk-badge.tsx'
import { TrunkFacts } from './trunk-facts.tsx'
import { TrunkStateNote } from './trunk-state-note.tsx'
import { useTrunks } from './use-trunks.ts'

const NumberDialog = lazyPart(async () => (await import('./number-dialog.tsx')).NumberDialog)
// Loaded for users who may change it: its fields are most of the page.
const TrunkForm = lazyPart(async () => (await import('./trunk-form.tsx')).TrunkForm)
const words = phoneWords.trunks
const PARAMS = { page: countParam }
const LABELS: Readonly<Record<TrunkSection, string>> = {
  connection: phoneWords.fields.connection,
  destinations: phoneWords.fields.destinations,
  limits: phoneWords.fields.limits,
  advanced: phoneWords.fields.advanced,
}

/** One trunk: its provisioning state, its numbers, and its settings. */
export function TrunkPage() {
  const { paths } = usePlace()
  const trunkId = usePathParam('trunkId')
  const trunks = useTrunks()
  const trunk = trunks.data?.data.find((one) => one.trunkId === trunkId)
  const crumbs = [{ label: phoneWords.title, href: paths.phone() }]
  if (trunks.data && !trunk) {
    return (
      <PageLayout title={words.gone} isBare crumbs={crumbs}>
        <GoneThing
          kind="phone_trunk"
          id={trunkId}
          title={words.gone}
          detail={words.goneDetail}
          href={paths.phone()}
          label={words.toAll}
        />
      </PageLayout>
    )
  }
  return (
    <PageLayout
      title={trunk?.name ?? words.one}
      crumbs={crumbs}
      {...(trunk
        ? {
            lead: <Avatar id={trunk.trunkId} name={trunk.name} shape="square" />,
            mark: <TrunkBadge trunk={trunk} look="badge" />,
            detail: trunk.address,
            actions: <PageActions trunk={trunk} />,
          }
        : {})}
    >
      <NoMediaServer />
      <AskedPanel asked={trunks} failed={words.failed} lines={10}>
        {() => trunk && <TrunkParts key={trunk.trunkId} trunk={trunk} onAskAgain={trunks.retry} />}
      </AskedPanel>
    </PageLayout>
  )
}

function TrunkParts({ trunk, onAskAgain }: { trunk: PhoneTrunk; onAskAgain(): void }) {
  const refusal = useRefusal('manage')
  const [{ page }, setParams] = useSearchParams(PARAMS)
  const [isAdding, setAdding] = useState(false)
  // null: the settings are loading.
  const [changed, setChanged] = useState<readonly TrunkSection[] | null>(null)
  const sections = [
    { id: 'numbers', label: words.numbers, isChanged: false },
    ...(changed === null
      ? []
      : TRUNK_SECTIONS.map((id) => ({ id, label: LABELS[id], isChanged: changed.includes(id) }))),
  ]
  return (
    <>
      <div className={refusal === null ? styles.editor : undefined}>
        {refusal === null && <SectionList label={words.sections} items={sections} />}
        <div className={styles.sections}>
          <TrunkStateNote trunk={trunk} refusal={refusal} />
          <Section
            id={sectionPlace('numbers')}
            title={words.numbers}
            detail={words.numbersDetail}
            actions={
              <RefusableButton size="small" refusal={refusal} onPress={() => setAdding(true)}>
                {phoneWords.numbers.create}
              </RefusableButton>
            }
          >
            <NumbersTable
              trunk={trunk}
              rows={numberRows([trunk], { q: '', projectId: null })}
              page={page}
              onTurn={(page, turn) => setParams({ page }, turn)}
              isFormer={false}
              empty={phoneWords.numbers.emptyOfTrunk}
            />
          </Section>
          {refusal === null ? (
            <Suspense fallback={<Skeleton lines={10} />}>
              <TrunkForm trunk={trunk} onAskAgain={onAskAgain} onChanged={setChanged} />
            </Suspense>
          ) : (
            <TrunkFacts trunk={trunk} refusal={refusal} />
          )}
        </div>
      </div>
      {isAdding && (
        <LazyDialog>
          <NumberDialog number={null} trunkId={trunk.trunkId} onClose={() => setAdding(false)} />
        </LazyDialog>
      )}
    </>
  )
}

function PageActions({ trunk }: { trunk: PhoneTrunk }) {
  const { paths } = usePlace()
  const goTo = useGoTo()
  const refused = useEntryRefusal('manage')
  const [opened, setOpened] = useState<'bundle' | 'remove' | null>(null)
  const { trunkId, slug, name, numbers } = trunk
  const close = () => setOpened(null)
  return (
    <>
      <ActionMenu
        label={phoneWords.actions(name)}
        groups={[
          {
            id: 'file',
            entries: [
              {
                id: 'bundle',
                label: bundleWords.exportAction,
                ...refused,
                onAction: () => setOpened('bundle'),
              },
            ],
          },
          {
            id: 'end',
            entries: [
              {
                id: 'remove',
                label: phoneWords.remove,
                isDanger: true,
                ...refused,
                onAction: () => setOpened('remove'),
              },
            ],
          },
        ]}
      />
      {opened === 'bundle' && (
        <ExportThing include={[`phone_trunk:${trunkId}`]} name={slug} onClose={close} />
      )}
      {opened === 'remove' && (
        <ConfirmChange
          operation="deletePhoneTrunk"
          input={{ params: { trunkId } }}
          refreshes={['listPhoneTrunks', 'listVoiceConfigurations', 'getVoiceConfiguration']}
          title={words.removeTitle(name)}
          action={words.removeAction}
          {...(numbers.length > 0 ? { typed: name } : {})}
          failed={words.removeFailed}
          done={words.removed(name)}
          onClose={close}
          onDone={() => goTo(paths.phone(), { replace: true })}
        >
          <p>{words.removeDetail(numbers.length)}</p>
        </ConfirmChange>
      )}
    </>
  )
}
