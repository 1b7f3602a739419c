import type { MemoryChange, MemoryKeeper, RunnableKind, UserMemories } from '@troupe/agents/ports'
import type {
  AgentId,
  AgentVersionId,
  MemoryId,
  OrganizationId,
  ProjectId,
  RunId,
  TeamId,
  TeamVersionId,
} from '@troupe/contract'
import { json, notNull, nullable, text, uuid } from '../sql/client/columns.ts'
import type { SqlClient, SqlDriver } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { storableJson, storableText } from '../sql/client/storable.ts'
import { STORED_NOW } from '../sql/client/stored-now.ts'
import { recordUsage } from '../usage-ledger/record-usage.ts'

type KeeperParameter = keyof ReturnType<typeof keeperValues>

/**
 * Held by every change of memories of a user: two changes that write the same rows in another order would deadlock.
 * Taken after the row of a run; `forgetUser` of the writer takes the same lock.
 */
const LOCK_USER = statement<'organizationId' | 'userId'>(
  'lock_user_memories',
  (p) => `select pg_advisory_xact_lock(3, hashtext(${p.organizationId}::text || ' ' || ${p.userId}::text))`,
)

const OF = statement<KeeperParameter | 'limit'>(
  'user_memories_of',
  (p) => `
select id, text from user_memories
where organization_id = ${p.organizationId}::uuid and user_id = ${p.userId} and keeper = ${p.keeper}
order by updated_at desc, id limit ${p.limit}::int`,
).returning({ id: uuid<MemoryId>(), text: text() })

const FORGET = statement<KeeperParameter | 'ids'>(
  'forget_user_memories',
  (p) => `
delete from user_memories
where organization_id = ${p.organizationId}::uuid and user_id = ${p.userId} and keeper = ${p.keeper}
  and id in (select value::uuid from json_array_elements_text(${p.ids}::json))`,
)

const ADD = statement<KeeperParameter | 'added'>(
  'add_user_memories',
  (p) => `
insert into user_memories as held (organization_id, project_id, kind, entity_id, keeper, user_id, text, fingerprint)
select ${p.organizationId}::uuid, ${p.projectId}::uuid, ${p.kind}, ${p.entityId}::uuid, ${p.keeper}, ${p.userId}, text,
  fingerprint
from json_to_recordset(${p.added}::json) as given (text text, fingerprint text)
on conflict on constraint user_memories_once do update set text = excluded.text, updated_at = now()`,
)

const DROP_OLDEST = statement<KeeperParameter | 'max'>(
  'drop_oldest_user_memories',
  (p) => `
delete from user_memories where id in (
  select id from user_memories
  where organization_id = ${p.organizationId}::uuid and user_id = ${p.userId} and keeper = ${p.keeper}
  order by updated_at desc, id offset ${p.max}::int
)`,
)

/**
 * The due time is the claim: each attempt moves it, by an interval that grows with the age of the run, so that a run
 * that crashes every process costs a handful of attempts. Runs whose texts were erased are dropped.
 */
const CLAIM = statement(
  'claim_run_to_learn_from',
  () => `
with due as (
  select id, completed_at from runs where memory_due_at <= ${STORED_NOW}
  order by memory_due_at limit 1 for update skip locked
)
update runs r set memory_due_at = case
  when r.input is null or r.content is null or due.completed_at < now() - interval '1 day' then null
  else now() + greatest(interval '2 minutes', now() - due.completed_at) end
from due where r.id = due.id
returning r.id as "runId", r.organization_id as "organizationId", r.project_id as "projectId", r.kind,
  r.entity_id as "entityId", r.entity_version_id as "entityVersionId", r.pins, r.user_id as "userId", r.tag, r.input,
  r.content, r.memory_due_at::text as claim`,
).returning({
  runId: uuid<RunId>(),
  organizationId: uuid<OrganizationId>(),
  projectId: nullable(uuid<ProjectId>()),
  kind: text<RunnableKind>(),
  entityId: uuid<AgentId | TeamId>(),
  entityVersionId: uuid<AgentVersionId | TeamVersionId>(),
  pins: nullable(json<Readonly<Record<AgentId, AgentVersionId>>>()),
  userId: text(),
  tag: nullable(text()),
  input: notNull(text()),
  content: notNull(text()),
  claim: nullable(text()),
})

const SETTLE = statement<'runId' | 'claim'>(
  'settle_run_to_learn_from',
  (p) => `
update runs set memory_due_at = null where id = ${p.runId}::uuid and memory_due_at = ${p.claim}::timestamptz
returning id`,
).returning({ id: uuid<RunId>() })

function keeperValues({ scope, ...keeper }: MemoryKeeper) {
  const { organizationId, projectId, kind, entityId } = keeper
  const name = scope === 'project' ? `project:${projectId ?? ''}` : `${kind}:${entityId}`
  return { organizationId, projectId, kind, entityId, keeper: name, userId: storableText(keeper.userId) }
}

async function applied(
  client: SqlClient,
  keeper: MemoryKeeper,
  { add, forget }: MemoryChange,
  max: number,
): Promise<void> {
  const values = keeperValues(keeper)
  const { organizationId, userId } = values
  await client.query(...LOCK_USER({ organizationId, userId }))
  if (forget.length > 0) await client.query(...FORGET({ ...values, ids: storableJson(forget) }))
  if (add.length === 0) return
  await client.query(...ADD({ ...values, added: storableJson(add) }))
  await client.query(...DROP_OLDEST({ ...values, max }))
}

/** Memories of users, as hand-written SQL. */
export function userMemoryStore(driver: SqlDriver): UserMemories {
  return {
    of: (keeper, limit) => driver.query(...OF({ ...keeperValues(keeper), limit })),
    change: (keeper, change, max) => driver.transaction((client) => applied(client, keeper, change, max)),
    async claim() {
      for (;;) {
        const [run] = await driver.query(...CLAIM({}))
        if (!run) return null
        if (run.claim !== null) return { ...run, claim: run.claim }
      }
    },
    learned: (run, result, usage) =>
      driver.transaction(async (client) => {
        const { runId, organizationId, projectId, userId, tag, claim } = run
        const [settled] = await client.query(...SETTLE({ runId, claim }))
        // The cost of a model call is recorded even if its result is discarded.
        await recordUsage(client)({ runId, organizationId, projectId, userId, tag, usage })
        if (settled && result) await applied(client, result.keeper, result.change, result.max)
        return settled !== undefined
      }),
  }
}
