import type { BundlePreview, GivenBundle } from '@troupe/contract/builder'
import { useRef, useState } from 'react'
import { focusNext } from '../../../atoms/focus/focus-next.ts'
import { Section } from '../../../atoms/layout/page.tsx'
import { SendButton } from '../../../atoms/overlays/send-button.tsx'
import { FailurePanel } from '../../../atoms/states/failure-panel.tsx'
import { Callout, Skeleton } from '../../../atoms/states/panels.tsx'
import { variablesIn } from '../../../core/bundles/bundle-text.ts'
import { bundleWords } from '../../../core/messages/en/settings/bundle.ts'
import type { OperationName } from '../../../infrastructure/client/operation-types.ts'
import { useValue } from '../../../infrastructure/preferences/use-value.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { AppliedSection } from './applied-section.tsx'
import styles from './bundle.module.css'
import { BundleTextSection } from './bundle-text-section.tsx'
import { PlanSection } from './plan-section.tsx'
import { tabMemory } from './tab-memory.ts'
import { useBundleApply, useBundlePlan } from './use-bundle-change.ts'
import { useBundleText } from './use-bundle-text.ts'
import { VariableFields } from './variable-fields.tsx'

/** All resources that a bundle can change. */
const REFRESHED: readonly OperationName[] = [
  'getOrganization',
  'listProjects',
  'listMembers',
  'listApiKeys',
  'listLlmConfigurations',
  'listKnowledgeBases',
  'listSkills',
  'listAgents',
  'getAgent',
  'listTeams',
  'getTeam',
  'listWorkflows',
  'getWorkflow',
  'listBudgets',
  'getHome',
]

/** The input of a plan, with its result. */
interface MadePlan {
  given: GivenBundle
  archive: File | null
  preview: BundlePreview
}

/** Applies a bundle from elsewhere: its text, values of its variables, plan, and then the change itself. */
export function ApplyPanel() {
  const { organizationId } = usePlace().membership
  const memory = tabMemory(organizationId)
  const source = useBundleText(memory)
  const values = useValue(memory.variables)
  const [adopt, setAdopt] = useState(false)
  const [plan, setPlan] = useState<MadePlan | null>(null)
  const applied = useValue(memory.applied)
  const [place, setPlace] = useState<{ line: number } | null>(null)
  const planning = useBundlePlan()
  const applying = useBundleApply(REFRESHED)
  const archive = useValue(memory.archive)
  const { text } = source
  const names = variablesIn(text)
  // Untouched variables are omitted, and the server lists them: sent, they would be empty texts.
  const variables = Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  )
  const emptyOnes = names.filter((name) => variables[name] === '')
  const missing = names.filter((name) => variables[name] === undefined)

  const latest = useRef({ given: { text, variables, adopt }, archive })
  latest.current = { given: { text, variables, adopt }, archive }

  const makePlan = async (isAdopted: boolean) => {
    setAdopt(isAdopted)
    applying.reset()
    const given = { text, variables, adopt: isAdopted }
    const preview = await (archive ? planning.ofArchive(given, archive) : planning.ofText(given))
    if (preview) setPlan({ given, archive, preview })
  }
  /** The server finds the text of an archive; null: the text is kept, without files. */
  const takeArchive = async (file: File | null) => {
    memory.archive.set(file)
    setPlan(null)
    planning.reset()
    if (file === null) return
    const found = await planning.ofArchive({ adopt: false }, file)
    if (!found) return memory.archive.set(null)
    source.change(found.text)
    setAdopt(false)
    // Values of variables are requested first.
    if (variablesIn(found.text).length > 0) return
    setPlan({ given: { text: found.text, variables: {}, adopt: false }, archive: file, preview: found })
  }
  const stack = useRef<HTMLDivElement>(null)
  const apply = async ({ given, archive: files }: MadePlan) => {
    const done = await (files ? applying.ofArchive(given, files) : applying.ofText(given))
    if (!done) return
    memory.applied.set(done)
    focusNext(() => stack.current)
    // Later input belongs to a new bundle.
    if (isSame(given, latest.current.given) && files === latest.current.archive) startOver()
    else setPlan(null)
  }
  const startOver = () => {
    source.change('')
    memory.archive.set(null)
    memory.variables.set({})
    setPlan(null)
    setAdopt(false)
    planning.reset()
  }

  const next = () => {
    memory.applied.set(null)
    focusNext(() => stack.current?.querySelector('[contenteditable],textarea,button'))
  }

  if (applied !== null) return <AppliedSection ref={stack} applied={applied} onNext={next} />
  if (source.isLoading) return <Skeleton lines={8} />
  const isOutdated =
    plan !== null && (!isSame(plan.given, { text, variables, adopt }) || plan.archive !== archive)
  return (
    <div ref={stack} className={styles.stack}>
      <BundleTextSection
        source={source}
        place={place}
        archive={archive}
        onArchive={(file) => void takeArchive(file)}
        onClear={startOver}
      />
      {text.trim() === '' && <FailurePanel title={bundleWords.archiveFailed} failure={planning.failure} />}
      {names.length > 0 && (
        <VariableFields
          names={names}
          values={values}
          onChange={(name, value) => memory.variables.set({ ...values, [name]: value })}
        />
      )}
      {text.trim() !== '' && (
        <Section title={bundleWords.planTitle} detail={bundleWords.planDetail}>
          <div className={styles.buttons}>
            <SendButton
              emphasis={plan === null || isOutdated ? 'primary' : 'secondary'}
              isPending={planning.isPending}
              onPress={() => void makePlan(adopt)}
            >
              {plan === null ? bundleWords.plan : bundleWords.planAgain}
            </SendButton>
          </div>
          {missing.length > 0 && <Callout>{bundleWords.missingVariables(missing)}</Callout>}
          {emptyOnes.length > 0 && <Callout tone="warn">{bundleWords.emptyVariables(emptyOnes)}</Callout>}
          <FailurePanel title={bundleWords.planFailed} failure={planning.failure} />
          {isOutdated && <Callout tone="warn">{bundleWords.outdated}</Callout>}
          {plan && (
            <PlanSection
              preview={plan.preview}
              text={plan.given.text}
              isOutdated={isOutdated}
              isApplying={applying.isPending}
              failure={applying.failure}
              onApply={() => void apply(plan)}
              onAdopt={() => void makePlan(true)}
              onGoTo={(line) => setPlace({ line })}
            />
          )}
        </Section>
      )}
    </div>
  )
}

function isSame(a: GivenBundle, b: GivenBundle): boolean {
  return (
    a.text === b.text && a.adopt === b.adopt && JSON.stringify(a.variables) === JSON.stringify(b.variables)
  )
}
