import type {
  AgentId,
  CredentialId,
  PhoneNumberId,
  ProjectId,
  VoiceConfigurationId,
  VoiceSettings,
} from '@troupe/contract'
import { json, nullable, number, type RowOfColumns, text, timestamp, uuid } from '../sql/client/columns.ts'
import { namedActor } from './actor-name.ts'
import type { AuditRow } from './audit.ts'
import { configurationRows } from './configuration-rows.ts'

const COLUMNS = `v.id, v.slug, v.slug as name, v.agent_id as "agentId", a.name as "agentName", a.status as "agentStatus",
  v.project_id as "projectId", v.stt_provider as "sttProvider", v.tts_provider as "ttsProvider",
  v.stt_credential_id as "sttCredentialId", v.tts_credential_id as "ttsCredentialId", v.settings, v.version,
  v.created_at as "createdAt", v.updated_at as "updatedAt"`

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
  /** From the audit log; null if it has no entry. */
  changedBy: nullable(json<{ kind: AuditRow['actorKind']; id: string | null; name: string | null }>()),
  projectName: nullable(text()),
  /** At most 100, oldest first. */
  phoneNumbers: json<{ phoneNumberId: PhoneNumberId; e164: string }[]>(),
}

/** A voice configuration as a list shows it. */
export type VoiceConfigurationRow = RowOfColumns<typeof ROW>

/** Reads of voice configurations. */
export const voiceConfigurationRows = configurationRows({
  names: ['list_voice_configurations', 'get_voice_configuration'],
  columns: ROW,
  alias: 'v',
  from: 'voice_configurations v join agents a on a.organization_id = v.organization_id and a.id = v.agent_id',
  select: COLUMNS,
  searched: `concat_ws(' ', v.slug, a.name, v.stt_provider, v.tts_provider)`,
  details,
})
