import type {
  AgentId,
  CredentialId,
  OrganizationId,
  PhoneNumberId,
  ProjectId,
  VoiceConfigurationId,
  VoiceSettings,
} from '@troupe/contract'
import { json, nullable, number, text, timestamp, uuid } from '../sql/client/columns.ts'
import type { SqlClient } from '../sql/client/sql-client.ts'
import { statement } from '../sql/client/statement.ts'
import { namedActor } from './actor-name.ts'
import type { AuditRow } from './audit.ts'
import { type ConfigurationQuery, configurationPage } from './configuration-page.ts'

/** A voice configuration as a list shows it. */
export interface VoiceConfigurationRow {
  id: VoiceConfigurationId
  slug: string
  agentId: AgentId
  agentName: string
  agentStatus: string
  projectId: ProjectId | null
  projectName: string | null
  sttProvider: string
  ttsProvider: string
  sttCredentialId: CredentialId | null
  ttsCredentialId: CredentialId | null
  settings: VoiceSettings
  version: number
  createdAt: Date
  updatedAt: Date
  /** At most 100, oldest first. */
  phoneNumbers: { phoneNumberId: PhoneNumberId; e164: string }[]
  /** From the audit log; null if it has no entry. */
  changedBy: { kind: AuditRow['actorKind']; id: string | null; name: string | null } | null
}

const COLUMNS = `v.id, v.slug, v.slug as name, v.agent_id as "agentId", a.name as "agentName", a.status as "agentStatus",
  v.project_id as "projectId", v.stt_provider as "sttProvider", v.tts_provider as "ttsProvider",
  v.stt_credential_id as "sttCredentialId", v.tts_credential_id as "ttsCredentialId", v.settings, v.version,
  v.created_at as "createdAt", v.updated_at as "updatedAt"`
const FROM =
  'voice_configurations v join agents a on a.organization_id = v.organization_id and a.id = v.agent_id'

const CHANGED_BY = namedActor('a.actor_kind', 'a.actor_id', 'a.organization_id')

const details = (organization: string) => `
select (
    select ${CHANGED_BY} from audit_log a
    where a.organization_id = ${organization} and a.entity_kind = 'voice_configuration' and a.entity_id = r.id::text
    order by a.created_at desc, a.id desc limit 1
  ) as "changedBy",
  (select p.name from projects p where p.organization_id = ${organization} and p.id = r."projectId") as "projectName",
  (select coalesce(json_agg(json_build_object('phoneNumberId', n.id, 'e164', n.e164)), '[]'::json) from (
    select n.id, n.e164 from phone_numbers n where n.organization_id = ${organization} and n.voice_config_id = r.id
    order by n.created_at, n.id limit 100
  ) n) as "phoneNumbers"`

/** The columns of {@link BY_ID} and of a page. */
const ROW = {
  id: uuid<VoiceConfigurationId>(),
  slug: text(),
  name: text(),
  agentId: uuid<AgentId>(),
  agentName: text(),
  agentStatus: text(),
  projectId: nullable(uuid<ProjectId>()),
  sttProvider: text(),
  ttsProvider: text(),
  sttCredentialId: nullable(uuid<CredentialId>()),
  ttsCredentialId: nullable(uuid<CredentialId>()),
  settings: json<VoiceSettings>(),
  version: number(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  changedBy: nullable(json<{ kind: AuditRow['actorKind']; id: string | null; name: string | null }>()),
  projectName: nullable(text()),
  phoneNumbers: json<{ phoneNumberId: PhoneNumberId; e164: string }[]>(),
}

const readPage = configurationPage({
  columns: ROW,
  name: 'list_voice_configurations',
  rows: (p) => `
    select ${COLUMNS}, concat_ws(' ', v.slug, a.name, v.stt_provider, v.tts_provider) as searched from ${FROM}
    where v.organization_id = ${p.organizationId}::uuid`,
  details: (p) => details(`${p.organizationId}::uuid`),
})

const BY_ID = statement<'organizationId' | 'id'>(
  'get_voice_configuration',
  (p) => `
select r.*, d.* from (
  select ${COLUMNS} from ${FROM} where v.organization_id = ${p.organizationId}::uuid and v.id = ${p.id}::uuid
) r cross join lateral (${details(`${p.organizationId}::uuid`)}) d`,
).returning(ROW)

/** Reads of voice configurations. */
export function voiceConfigurationRows(client: SqlClient) {
  return {
    page: (organizationId: OrganizationId, query: ConfigurationQuery) =>
      readPage(client, organizationId, query),
    /** null when the organization has no such configuration. */
    async byId(
      organizationId: OrganizationId,
      id: VoiceConfigurationId,
    ): Promise<VoiceConfigurationRow | null> {
      const [row] = await client.query(...BY_ID({ organizationId, id }))
      return row ?? null
    },
  }
}
