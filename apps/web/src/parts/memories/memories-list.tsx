import type { UserMemory } from '@troupe/contract'
import { Brain } from 'lucide-react'
import { useState } from 'react'
import { ActionMenu } from '../../atoms/overlays/menu.tsx'
import { MomentText } from '../../atoms/states/moment-text.tsx'
import { Avatar } from '../../atoms/states/panels.tsx'
import type { Column } from '../../atoms/table/columns.ts'
import type { PageTurn } from '../../atoms/table/page-turner.tsx'
import { IdText } from '../../atoms/text/id-text.tsx'
import { memoryWords as words } from '../../core/messages/en/resources/memories.ts'
import { PAGE_ROWS } from '../../core/url/list-params.ts'
import { useEntryRefusal } from '../../infrastructure/queries/use-entry-refusal.ts'
import { useOperation } from '../../infrastructure/queries/use-operation.ts'
import { AskedTable } from '../lists/asked-table.tsx'
import { changedColumn } from '../lists/list-columns.tsx'
import { AGENTS } from '../pickers/searched-lists.ts'
import { useChoices } from '../pickers/use-choices.ts'
import { ForgetMemoryDialog, ForgetUserDialog } from './forget-dialogs.tsx'
import styles from './memories.module.css'
import { MemoryText } from './memory-text.tsx'

export interface MemoriesListProps {
  /** null: the memories of every agent and team. */
  agentId: UserMemory['agentId']
  /** null: about every user. */
  userId: string | null
  page: number
  onTurn(page: number, turn: PageTurn): void
  /** Filters the list by a user. */
  onUser(userId: string): void
}

type Question = { kind: 'memory' | 'user'; memory: UserMemory }

/** Memories about users, newest first, with deletion. */
export function MemoriesList({ agentId, userId, page, onTurn, onUser }: MemoriesListProps) {
  const refusedToBuild = useEntryRefusal('build')
  const [question, setQuestion] = useState<Question | null>(null)
  const memories = useOperation('listMemories', {
    query: {
      page,
      limit: PAGE_ROWS,
      ...(agentId ? { agent_id: agentId } : {}),
      ...(userId ? { user_id: userId } : {}),
    },
  })
  const keepers = new Set(memories.data?.data.flatMap(({ agentId: id }) => id ?? []))
  const agents = useChoices(AGENTS, [...keepers])
  const nameOf = ({ agentId: id }: UserMemory) =>
    id === null ? words.aTeam : (agents.thing(id)?.name ?? words.anAgent)
  const columns: readonly Column<UserMemory>[] = [
    {
      id: 'text',
      title: words.columns.text,
      cell: ({ text }) => <MemoryText text={text} />,
      under: (memory) => (
        <>
          <IdText id={memory.userId} /> · <MomentText at={memory.updatedAt} />
        </>
      ),
    },
    {
      id: 'user',
      title: words.columns.user,
      width: '18%',
      from: 'wide',
      cell: (memory) => <IdText id={memory.userId} />,
    },
    {
      id: 'by',
      title: words.columns.by,
      width: '16%',
      from: 'wide',
      cell: (memory) => (
        <span className={styles.keeper}>
          {memory.agentId !== null && (
            <Avatar id={memory.agentId} name={nameOf(memory)} shape="square" size="small" />
          )}
          <span className={styles.keeperName}>{nameOf(memory)}</span>
        </span>
      ),
    },
    changedColumn(words.columns.changed),
  ]
  const isFiltered = agentId !== null || userId !== null
  return (
    <>
      <AskedTable
        asked={memories}
        words={words}
        label={words.title}
        columns={columns}
        idOf={({ memoryId }) => memoryId}
        nameOf={({ text }) => text}
        actionsOf={(memory) => (
          <ActionMenu
            label={words.actions}
            entries={[
              { id: 'user', label: words.onlyUser, onAction: () => onUser(memory.userId) },
              {
                id: 'forget',
                label: words.forget,
                ...refusedToBuild,
                onAction: () => setQuestion({ kind: 'memory', memory }),
              },
              {
                id: 'forget-user',
                label: words.forgetUser(memory.userId),
                isDanger: true,
                ...refusedToBuild,
                onAction: () => setQuestion({ kind: 'user', memory }),
              },
            ]}
          />
        )}
        page={page}
        onTurn={onTurn}
        isFiltered={isFiltered}
        picture={<Brain size={22} />}
      />
      {question?.kind === 'memory' && (
        <ForgetMemoryDialog memory={question.memory} onClose={() => setQuestion(null)} />
      )}
      {question?.kind === 'user' && (
        <ForgetUserDialog userId={question.memory.userId} onClose={() => setQuestion(null)} />
      )}
    </>
  )
}
