import type { IdText, OrganizationId } from '@troupe/contract'
import type { BuilderWorkflow, ImportedDraft } from '@troupe/contract/builder'
import {
  type ClipboardFault,
  clipboardText,
  type Fragment,
  fragmentOf,
  paste,
  readClipboard,
  resourceKey,
  resourcesOf,
  type UsedResource,
  withResources,
} from '@troupe/editor/clipboard/fragment'
import { removeSteps } from '@troupe/editor/commands/edit-steps'
import { roleOf } from '@troupe/editor/commands/step-shape'
import { DraftDocument, type DraftReader } from '@troupe/editor/document/draft-document'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { copyText } from '../../../atoms/controls/copy-text.ts'
import { LazyDialog } from '../../../atoms/overlays/lazy-dialog.tsx'
import type { MenuEntry } from '../../../atoms/overlays/menu.tsx'
import { showNotice, withdrawNotices } from '../../../atoms/overlays/notice-store.ts'
import { lazyPart } from '../../../atoms/parts/lazy-part.ts'
import { CLIPBOARD_KEYS } from '../../../core/canvas/editor-keys.ts'
import { atomWords } from '../../../core/messages/en/atoms.ts'
import { commandWords, clipboardWords as words } from '../../../core/messages/en/workflows/canvas.ts'
import { foreignFragment } from '../../../core/workflows/foreign-fragment.ts'
import { isForeignSnippet } from '../../../core/workflows/foreign-snippet.ts'
import { asCallFailure } from '../../../infrastructure/client/call-failure.ts'
import { callOperation } from '../../../infrastructure/client/call-operation.ts'
import { isMac, shownKeys } from '../../../infrastructure/keys/key-map.ts'
import { useKeys } from '../../../infrastructure/keys/use-keys.ts'
import { useCalls } from '../../../infrastructure/queries/use-calls.ts'
import { useRefusal } from '../../../infrastructure/queries/use-refusal.ts'
import { usePlace } from '../../../infrastructure/sign-in/session.ts'
import { AGENTS, TEAMS } from '../../../parts/pickers/searched-lists.ts'
import { useDraftCommands } from '../editing/use-draft-editing.ts'
import { STEPS_ID } from '../parts/step-places.ts'
import { useRemovalNotice } from './use-removal-notice.ts'

const PastedReportDialog = lazyPart(
  async () => (await import('./pasted-report-dialog.tsx')).PastedReportDialog,
)
const ResourceMapDialog = lazyPart(async () => (await import('./resource-map-dialog.tsx')).ResourceMapDialog)

export interface StepClipboardProps {
  workflow: BuilderWorkflow
  reader: DraftDocument
  /** The steps to which a key applies. */
  idsNow(): readonly string[]
  /** Ids of created steps. */
  onMade(ids: readonly string[]): void
  /** The steps to select afterwards. */
  onDone(ids: readonly string[]): void
}

export interface StepClipboard {
  /** Entries of a menu for copy, cut and paste. */
  entriesFor(ids: readonly string[]): MenuEntry[]
  /** The open question; null: none. */
  dialog: ReactNode
}

interface Mapping {
  fragment: Fragment
  missing: readonly UsedResource[]
}

/** Concurrent requests for the resources of copied steps. */
const AT_ONCE = 6

/**
 * Copies, cuts and pastes steps as text of the system's clipboard, including between workflows, organizations and servers. Missing
 * agents and teams must be replaced by the user.
 */
export function useStepClipboard(props: StepClipboardProps): StepClipboard {
  const { workflow } = props
  const editing = useDraftCommands(workflow)
  const removal = useRemovalNotice(workflow, props.onDone)
  const refusal = useRefusal('build')
  const { membership } = usePlace()
  const [mapping, setMapping] = useState<Mapping | null>(null)
  const [imported, setImported] = useState<ImportedDraft | null>(null)
  const calls = useCalls()

  /** The draft at the moment of a command: the latest input may not be rendered yet. */
  const readerNow = () => {
    const now = editing.now()
    return now === null ? props.reader : new DraftDocument(now)
  }
  const textOf = (ids: readonly string[]): string | null => {
    if (ids.length === 0) {
      showNotice({ tone: 'bad', title: commandWords.titles.copy, detail: words.nothingChosen })
      return null
    }
    const fragment = fragmentOf(readerNow(), ids)
    showNotice({ title: words.copied(fragment.nodes.length), detail: words.copiedDetail })
    return clipboardText(fragment)
  }
  const removed = (ids: readonly string[]) => {
    const { onDone } = props
    const reader = readerNow()
    const what = commandWords.what(reader.node(ids[0] ?? '')?.name ?? '', ids.length)
    const before = ids.flatMap((id) => reader.edgesTo(id).map(({ source }) => source))
    const done = editing.edit(commandWords.done.cut(what), (tx) => removeSteps(tx, ids))
    if (done === null) return
    removal.tell({ reader, ids, number: done.number })
    const next = before.find((id) => !done.result.includes(id))
    onDone(next === undefined ? [] : [next])
  }
  const put = (fragment: Fragment) => {
    const { idsNow, onMade, onDone } = props
    const reader = readerNow()
    const parentId = placeFor(reader, idsNow())
    const done = editing.edit(commandWords.done.paste(fragment.nodes.length), (tx, isRetired) => {
      const isThere = parentId === null || tx.node(parentId) !== null
      return paste(tx, fragment, { parentId: isThere ? parentId : null, offset: null }, isRetired)
    })
    if (done === null) return
    withdrawNotices(PASTE)
    const made = fragment.nodes.flatMap((node) => done.result.get(node.id) ?? [])
    const inside = new Set(fragment.nodes.map(({ id }) => id))
    const tops = fragment.nodes.filter(({ parentId }) => !inside.has(parentId ?? ''))
    onMade(made)
    onDone(tops.flatMap(({ id }) => done.result.get(id) ?? []))
  }
  /** The server converts nodes of n8n or Dify to steps; the result for each is shown afterwards. */
  const readForeign = async (text: string) => {
    try {
      const made = await calls.send('importWorkflow', { body: { text } })
      const fragment = foreignFragment(made)
      if (fragment === null || fragment.nodes.length === 0) return void refuse(words.faults.foreign)
      put(fragment)
      setImported(made)
    } catch (error) {
      refuse(asCallFailure(error).message)
    }
  }
  const read = async (text: string) => {
    if (refusal !== null) return void refuse(refusal)
    const found = readClipboard(text)
    if (!found.ok) {
      if (found.fault.kind === 'foreign' && isForeignSnippet(text)) return readForeign(text)
      return void refuse(sentenceOf(found.fault))
    }
    const { fragment } = found
    const here = new Set(resourcesOf({ nodes: readerNow().nodes(), edges: [] }).map(resourceKey))
    const asked = resourcesOf(fragment).filter((one) => isPicked(one) && !here.has(resourceKey(one)))
    const missing = await missingOf(asked, membership.organizationId).catch(() => null)
    if (missing === null) return void refuse(words.unchecked)
    if (missing.length === 0) put(fragment)
    else setMapping({ fragment, missing })
  }
  const latest = useRef({ textOf, removed, read, refusal, idsNow: props.idsNow })
  latest.current = { textOf, removed, read, refusal, idsNow: props.idsNow }
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const now = latest.current
      if (!isOurs(event) || !document.getSelection()?.isCollapsed) return
      const ids = now.idsNow()
      if (event.type === 'cut' && now.refusal !== null) return void refuse(now.refusal)
      const text = now.textOf(ids)
      if (text === null) return
      event.clipboardData?.setData('text/plain', text)
      event.preventDefault()
      if (event.type === 'cut') now.removed(ids)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!isOurs(event) && !isBesideSteps(event)) return
      event.preventDefault()
      void latest.current.read(event.clipboardData?.getData('text/plain') ?? '')
    }
    document.addEventListener('copy', onCopy)
    document.addEventListener('cut', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('cut', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
  useKeys(
    COMMANDS.map((id) => ({
      ...{ keys: CLIPBOARD_KEYS[id], label: commandWords.titles[id], isLocal: true, run: () => undefined },
    })),
  )
  const copied = async (ids: readonly string[]) => {
    const text = textOf(ids)
    if (text === null) return false
    const isThere = await copyText(text)
    if (!isThere) showNotice({ tone: 'bad', title: atomWords.copyRefused })
    return isThere
  }
  const actions: Readonly<Record<keyof typeof CLIPBOARD_KEYS, (ids: readonly string[]) => void>> = {
    copy: (ids) => void copied(ids),
    cut: (ids) => {
      if (refusal !== null) return void refuse(refusal)
      void copied(ids).then((isThere) => (isThere ? removed(ids) : undefined))
    },
    // Not every browser lets a button read the clipboard.
    paste: () => {
      const text = navigator.clipboard?.readText().catch(() => null) ?? Promise.resolve(null)
      void text.then((found) =>
        found === null ? refuse(words.noRead(shownKeys(CLIPBOARD_KEYS.paste, isMac))) : read(found),
      )
    },
  }
  return {
    entriesFor: (ids) =>
      COMMANDS.map((id) => ({
        ...{ id, label: commandWords.titles[id], keys: shownKeys(CLIPBOARD_KEYS[id], isMac) },
        onAction: () => actions[id](ids),
        isDisabled: id !== 'paste' && ids.length === 0,
      })),
    dialog: (
      <LazyDialog>
        {imported && <PastedReportDialog imported={imported} onClose={() => setImported(null)} />}
        {mapping && (
          <ResourceMapDialog
            missing={mapping.missing}
            onClose={() => setMapping(null)}
            onMapped={(chosen) => {
              setMapping(null)
              put(withResources(mapping.fragment, chosen))
            }}
          />
        )}
      </LazyDialog>
    ),
  }
}

const COMMANDS = ['copy', 'cut', 'paste'] as const

/** The subject of notices about a refused paste or cut. */
const PASTE = 'paste of steps'

function refuse(detail: string): void {
  showNotice({ tone: 'bad', title: words.refused, detail, subject: PASTE })
}

function sentenceOf(fault: ClipboardFault): string {
  return fault.kind === 'faulty' ? words.faulty(fault.detail) : words.faults[fault.kind]
}

/** Whether the focus is on the steps. Text fields and dialogs handle the clipboard themselves. */
function isOurs({ target }: ClipboardEvent): boolean {
  if (document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]')) return false
  if (!(target instanceof Element)) return false
  return (
    target === document.body || target.closest(`#${STEPS_ID} :is([data-map], [role="treegrid"])`) !== null
  )
}

/** Whether the focus is on a button beside the steps, such as the one that has just shown the canvas: it takes no text itself. */
function isBesideSteps({ target }: ClipboardEvent): boolean {
  return target instanceof Element && target.closest(`#${STEPS_ID}`) !== null && !isTyped(target)
}

const isTyped = (target: Element) => target.closest('input, textarea, [contenteditable="true"]') !== null

/** The level for pasted steps: that of the selected step, or the body of a selected empty Loop. */
function placeFor(reader: DraftReader, [id = '']: readonly string[]): string | null {
  const chosen = reader.node(id)
  if (chosen === null) return null
  const isEmptyLoop = roleOf(chosen) === 'loop' && reader.childrenOf(id).length === 0
  return isEmptyLoop ? id : chosen.parentId
}

/** Models are selected in each step. The check before publishing reports missing ones. */
const isPicked = ({ kind }: UsedResource) => kind === 'agent' || kind === 'team'

/** The agents and teams that the organization lacks. Throws when the server does not respond. */
async function missingOf(
  asked: readonly UsedResource[],
  organizationId: IdText<OrganizationId>,
): Promise<UsedResource[]> {
  const missing: UsedResource[] = []
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const part = asked.slice(at, at + AT_ONCE)
    const isHere = await Promise.all(part.map((one) => isKnown(one, organizationId)))
    missing.push(...part.filter((_, index) => !isHere[index]))
  }
  return missing
}

async function isKnown({ kind, id }: UsedResource, organizationId: IdText<OrganizationId>): Promise<boolean> {
  const query = { q: id, limit: 1 }
  if (kind === 'agent') {
    const { data } = await callOperation('listAgents', organizationId, AGENTS.input(query))
    return data.some(({ agentId }) => agentId === id)
  }
  const { data } = await callOperation('listTeams', organizationId, TEAMS.input(query))
  return data.some(({ teamId }) => teamId === id)
}
