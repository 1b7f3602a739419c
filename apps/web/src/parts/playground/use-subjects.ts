import { type AnyVersionId, COORDINATION_MODES, type IdText, type ProjectId } from '@troupe/contract'
import type { MenuGroup } from '../../atoms/overlays/menu.tsx'
import { serverNow } from '../../core/format/server-clock.ts'
import { relativeTime } from '../../core/format/times.ts'
import { authorName } from '../../core/labels/author-name.ts'
import { playgroundWords as words } from '../../core/messages/en/parts/playground.ts'
import { teamWords } from '../../core/messages/en/teams/teams.ts'
import { toldApart } from '../../core/models/told-apart.ts'
import { type Subject, subjectKey } from '../../core/playground/subject.ts'
import type { PlayedVersion } from '../../core/playground/turns.ts'
import { useLlmConfigurations } from '../../infrastructure/queries/use-whole-list.ts'
import { isUsableIn } from '../pickers/usable-in.ts'
import { useVersionList } from '../versions/version-source.ts'
import type { PlayableContent } from './use-played.ts'

const MOST_VERSIONS = 100
/** Maximum versions in a menu; the tab of versions lists all of them. */
const OFFERED_VERSIONS = 8

/** All available subjects, by name. */
export interface Subjects {
  nameOf(played: PlayedVersion): string
  versionNumberOf(subject: Subject): number | null
  /** A menu of all of them; `isTaken` removes present ones. */
  menu(onChoose: (subject: Subject) => void, isTaken: (subject: Subject) => boolean): MenuGroup[]
}

export interface SubjectsOf {
  kind: 'agent' | 'team'
  id: string
  saved: PlayableContent
  hasDraft: boolean
}

/** The subjects of a playground: live, the draft, versions, and other models or modes. */
export function useSubjects({ kind, id, saved, hasDraft }: SubjectsOf): Subjects {
  const versions = useVersionList(kind, id, { limit: MOST_VERSIONS }).data?.data ?? []
  const { models, configurationOf } = useModels(kind === 'agent', saved.projectId)
  const numberOf = (versionId: IdText<AnyVersionId>) =>
    versions.find((one) => one.versionId === versionId)?.number ?? null
  const savedName = saved.isArchived ? words.version(saved.versionNumber) : words.live(saved.versionNumber)
  const nameOf = ({ subject, versionNumber }: PlayedVersion): string => {
    switch (subject.kind) {
      case 'live':
        return versionNumber === null || versionNumber === saved.versionNumber
          ? savedName
          : words.version(versionNumber)
      case 'draft':
        return words.draft
      case 'version':
        return words.version(versionNumber ?? numberOf(subject.versionId))
      case 'model':
        return words.otherModel(toldApart(subject, models.map(modelOf), configurationOf))
      case 'mode':
        return words.otherMode(teamWords.modes[subject.mode])
      default:
        return subject satisfies never
    }
  }
  const own: Offer[] = [
    ...(hasDraft
      ? [{ subject: { kind: 'draft' } as const, label: words.draft, detail: words.draftDetail }]
      : []),
    {
      subject: { kind: 'live' },
      label: savedName,
      detail: saved.isArchived ? words.archivedDetail : words.liveDetail,
    },
  ]
  const old = versions
    .filter(({ current }) => !current)
    .slice(0, OFFERED_VERSIONS)
    .map(({ versionId, number, label, createdBy, createdAt }) => ({
      subject: { kind: 'version', versionId } as const,
      label: label === null ? words.version(number) : `${words.version(number)} · ${label}`,
      detail: words.versionDetail(authorName(createdBy), relativeTime(createdAt, serverNow())),
    }))
  const modes = COORDINATION_MODES.filter((mode) => saved.mode !== null && mode !== saved.mode).map(
    (mode) => ({
      subject: { kind: 'mode', mode } as const,
      label: words.otherMode(teamWords.modes[mode]),
    }),
  )
  const groups: readonly { id: string; title?: string; offers: readonly Offer[] }[] = [
    { id: 'own', offers: own },
    { id: 'modes', title: words.modes, offers: modes },
    { id: 'versions', title: words.versions, offers: old },
    { id: 'models', title: words.models, offers: models },
  ]
  return {
    nameOf,
    versionNumberOf: (subject) =>
      subject.kind === 'live'
        ? saved.versionNumber
        : subject.kind === 'version'
          ? numberOf(subject.versionId)
          : null,
    menu: (onChoose, isTaken) =>
      groups
        .map(({ id: groupId, title, offers }) => ({
          id: groupId,
          ...(title ? { title } : {}),
          entries: offers
            .filter(({ subject }) => !isTaken(subject))
            .map(({ subject, label, detail }) => ({
              id: subjectKey(subject),
              label,
              ...(detail ? { detail } : {}),
              onAction: () => onChoose(subject),
            })),
        }))
        .filter(({ entries }) => entries.length > 0),
  }
}

interface Offer {
  subject: Subject
  label: string
  detail?: string
}

const modelOf = ({ subject }: ModelOffer) => subject

interface ModelOffer extends Offer {
  subject: Extract<Subject, { kind: 'model' }>
}

function useModels(isEnabled: boolean, projectId: IdText<ProjectId> | null) {
  const { data = [] } = useLlmConfigurations({ isEnabled })
  const models: ModelOffer[] = data
    .filter((one) => one.status === 'connected' && isUsableIn(projectId, one))
    .flatMap(({ llmConfigId, name, models }) =>
      models.map(({ modelId, displayName }) => ({
        subject: { kind: 'model', llmConfigId, modelId } as const,
        label: displayName ?? modelId,
        detail: name,
      })),
    )
  return { models, configurationOf: (id: string) => data.find(({ llmConfigId }) => llmConfigId === id)?.name }
}
