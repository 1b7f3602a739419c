import { useQueryClient } from '@tanstack/react-query'
import type { IdText, OrganizationId } from '@troupe/contract'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import type { OperationName } from '../client/operation-types.ts'
import { askAgain } from '../queries/ask-again.ts'
import { askedAt } from '../queries/asked-at.ts'
import { NAMES_USES } from '../queries/names-uses.ts'
import { ChangeFeed } from './change-feed.ts'
import type { FeedNote } from './change-note.ts'

export const ChangeFeedContext = createContext<ChangeFeed | null>(null)

/** The feed of an organization, open while the component is on the page; null for users without access. */
export function useChangeFeed(organizationId: IdText<OrganizationId> | null): ChangeFeed | null {
  const [feed, setFeed] = useState<ChangeFeed | null>(null)
  useEffect(() => {
    if (organizationId === null) return
    const opened = new ChangeFeed(organizationId)
    setFeed(opened)
    return () => {
      opened.close()
      setFeed(null)
    }
  }, [organizationId])
  return feed
}

/**
 * Calls back after a change of one of the topics: `runs`, `reviews`, `configuration`, `workflow-run:<id>`, …; never
 * without topics.
 */
export function useChanges(topics: readonly string[], onChange: (note: FeedNote) => void): void {
  const feed = useContext(ChangeFeedContext)
  const latest = useRef(onChange)
  latest.current = onChange
  const wanted = topics.join(',')
  useEffect(() => {
    // An empty topic would make the server refuse those of all parts of the page.
    if (wanted === '') return
    return feed?.listen(wanted.split(','), (note) => latest.current(note))
  }, [feed, wanted])
}

/** Refetches the operations after a change of the topics. */
export function useRefreshOn(topics: readonly string[], operations: readonly OperationName[]): void {
  const cache = useQueryClient()
  useChanges(topics, () => {
    for (const name of operations) void askAgain(cache, ({ queryKey: [asked] }) => asked === name)
  })
}

/** Operations affected by a change of a kind besides those named after it. */
const ALSO: Readonly<Record<string, readonly OperationName[]>> = {
  organization: ['getSession', 'getHome'],
  // Operations whose responses contain the name of the project.
  project: [
    ...(['listApiKeys', 'listBudgets', 'listLlmConfigurations', 'getLlmConfiguration'] as const),
    ...(['listCredentials', 'getCredential', 'listMcpServers', 'getMcpServer'] as const),
  ],
  member: ['getSession', 'getHome'],
  invitation: ['listMembers', 'getHome'],
  budget: ['getHome'],
  // Operations whose responses name the users of the resource.
  agent: ['getHome', 'getTeam', 'listTeams'],
  team: ['getAgent', 'listAgents'],
  workflow: NAMES_USES,
  workflowtestcase: ['listTestCases', 'getTestCase'],
  apikey: ['getHome'],
  llmconfiguration: ['getHome', 'listBudgets'],
  knowledgedocument: ['getKnowledgeBase', 'listKnowledgeBases', 'listKnowledgePassages'],
  phonenumber: ['listPhoneTrunks', 'listVoiceConfigurations', 'getVoiceConfiguration'],
  memory: ['listMemories'],
  usermemories: ['listMemories'],
}

/** The audit log has every change, and a bundle may contain any resource. */
const OF_EVERYTHING: readonly string[] = ['listAudit', 'exportOrganizationBundle'] satisfies OperationName[]

/** They read whole drafts. The page of a workflow follows the changes of its draft itself. */
const OF_A_DRAFT = /^(getWorkflow|previewPublish)$/

/** Whether a change of a kind, in lower-case letters, may affect an operation's response. */
export function concerns(kind: string, operation: string): boolean {
  const isNamed = OF_EVERYTHING.includes(operation) || operation.toLowerCase().includes(kind)
  return isNamed || (ALSO[kind]?.some((one) => one === operation) ?? false)
}

/**
 * Refetches everything about a changed kind: after `agent.updated`, the response of `listAgents`; after a change of members, also
 * the user's permissions. A new connection sends the changes of its last seconds; older responses are refetched.
 */
export function useConfigurationRefresh(): void {
  const cache = useQueryClient()
  useChanges(['configuration'], (told) => {
    if (told.kind === 'ready') {
      void askAgain(cache, (query) => (askedAt(query) ?? 0) < told.configurationSince)
      return
    }
    const kind = told.note.change?.entityKind.replaceAll('_', '').toLowerCase() ?? ''
    const isSavedDraft = told.note.change?.action === 'workflow.draft_saved'
    void askAgain(
      cache,
      ({ queryKey: [name] }) =>
        concerns(kind, String(name)) && !(isSavedDraft && OF_A_DRAFT.test(String(name))),
    )
  })
}
