CREATE TABLE "agent_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"n" integer,
	"content_hash" text,
	"label" text,
	"note" text,
	"name" text NOT NULL,
	"description" text,
	"config" json NOT NULL,
	"config_schema_version" integer NOT NULL,
	"created_by_kind" text NOT NULL,
	"created_by_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_versions_n" UNIQUE("agent_id","n"),
	CONSTRAINT "agent_versions_content" UNIQUE("agent_id","content_hash"),
	CONSTRAINT "agent_versions_kind" CHECK ((n is null) = (content_hash is not null))
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text,
	"name" text NOT NULL,
	"description" text,
	"status" text NOT NULL,
	"config" json NOT NULL,
	"config_schema_version" integer NOT NULL,
	"version_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "agents_organization_id_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "budgets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"metric" text NOT NULL,
	"limit_micros" bigint NOT NULL,
	"period" text NOT NULL,
	"counted_micros" bigint NOT NULL,
	"counted_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budgets_metric" UNIQUE NULLS NOT DISTINCT("organization_id","project_id","metric")
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"username" text,
	"field" text,
	"sealed_secret" text NOT NULL,
	"secret_set_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"hosts" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credentials_slug" UNIQUE("organization_id","slug")
);
--> statement-breakpoint
CREATE TABLE "form_uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"field" text NOT NULL,
	"storage_key" text NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"text" text NOT NULL,
	"visitor" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"execution_id" uuid
);
--> statement-breakpoint
CREATE TABLE "knowledge_bases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text,
	"name" text NOT NULL,
	"lang" "regconfig" NOT NULL,
	"embedding_llm_config_id" uuid,
	"embedding_model_id" text,
	"dims" integer,
	"set_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"next_set_id" uuid,
	"next_llm_config_id" uuid,
	"next_model_id" text,
	"next_dims" integer,
	"next_error" text,
	"next_attempt" integer DEFAULT 0 NOT NULL,
	"next_lease_until" timestamp (3) with time zone,
	"retired_set_ids" uuid[] DEFAULT '{}' NOT NULL,
	"chunk_tokens" integer NOT NULL,
	"overlap_tokens" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "knowledge_bases_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "knowledge_bases_organization_id_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "knowledge_chunks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"set_id" uuid NOT NULL,
	"document_id" uuid NOT NULL,
	"reading" integer NOT NULL,
	"idx" integer NOT NULL,
	"page" integer,
	"text" text NOT NULL,
	"lang" "regconfig" NOT NULL,
	"embedding" real[],
	"dims" integer,
	"words" bigint[] NOT NULL,
	CONSTRAINT "knowledge_chunks_idx" UNIQUE("document_id","set_id","reading","idx")
);
--> statement-breakpoint
CREATE TABLE "knowledge_documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"base_id" uuid NOT NULL,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"url" text,
	"storage_key" text,
	"content_type" text,
	"size_bytes" bigint NOT NULL,
	"content_hash" text,
	"metadata" jsonb NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"chunks" integer DEFAULT 0 NOT NULL,
	"reading" integer DEFAULT 0 NOT NULL,
	"searched_reading" integer,
	"chunked_as" text,
	"attempt" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "llm_configurations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"provider_id" text NOT NULL,
	"status" text NOT NULL,
	"is_default" boolean NOT NULL,
	"base_url" text,
	"sealed_credentials" text,
	"credentials_set_at" json DEFAULT '{}'::json NOT NULL,
	"settings" json NOT NULL,
	"models" json NOT NULL,
	"allow_unlisted_models" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "llm_configurations_slug" UNIQUE("organization_id","slug")
);
--> statement-breakpoint
CREATE TABLE "mcp_server_tools" (
	"organization_id" uuid NOT NULL,
	"server_id" uuid NOT NULL,
	"name" text NOT NULL,
	"fingerprint" text NOT NULL,
	"definition" text NOT NULL,
	"changed_fingerprint" text,
	"changed_definition" text,
	"changed_at" timestamp (3) with time zone,
	CONSTRAINT "mcp_server_tools_server_id_name_pk" PRIMARY KEY("server_id","name")
);
--> statement-breakpoint
CREATE TABLE "mcp_servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"credential_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mcp_servers_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "mcp_servers_owner" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "schedule_fires" (
	"workflow_id" uuid NOT NULL,
	"node_id" text NOT NULL,
	"scheduled_for" timestamp (3) with time zone NOT NULL,
	"organization_id" uuid NOT NULL,
	"outcome" text NOT NULL,
	"execution_id" uuid,
	"reason" text,
	"decided_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "schedule_fires_workflow_id_node_id_scheduled_for_pk" PRIMARY KEY("workflow_id","node_id","scheduled_for")
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"workflow_id" uuid NOT NULL,
	"node_id" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"config" json NOT NULL,
	"overlap" text NOT NULL,
	"catch_up" text NOT NULL,
	"next_fire_at" timestamp (3) with time zone,
	"waiting_since" timestamp (3) with time zone,
	"published_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "schedules_workflow_id_node_id_pk" PRIMARY KEY("workflow_id","node_id")
);
--> statement-breakpoint
CREATE TABLE "skill_versions" (
	"skill_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"description" text NOT NULL,
	"allowed_tools" text[],
	"files" json NOT NULL,
	"texts" json NOT NULL,
	"content_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skill_versions_pk" PRIMARY KEY("skill_id","version")
);
--> statement-breakpoint
CREATE TABLE "skills" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text NOT NULL,
	"newest_version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skills_slug" UNIQUE NULLS NOT DISTINCT("organization_id","project_id","slug")
);
--> statement-breakpoint
CREATE TABLE "team_agents" (
	"organization_id" uuid NOT NULL,
	"team_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "team_agents_team_id_agent_id_role_pk" PRIMARY KEY("team_id","agent_id","role")
);
--> statement-breakpoint
CREATE TABLE "team_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"team_id" uuid NOT NULL,
	"n" integer,
	"content_hash" text,
	"label" text,
	"note" text,
	"name" text NOT NULL,
	"description" text,
	"config" json NOT NULL,
	"config_schema_version" integer NOT NULL,
	"created_by_kind" text NOT NULL,
	"created_by_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "team_versions_n" UNIQUE("team_id","n"),
	CONSTRAINT "team_versions_content" UNIQUE("team_id","content_hash"),
	CONSTRAINT "team_versions_kind" CHECK ((n is null) = (content_hash is not null))
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text,
	"name" text NOT NULL,
	"description" text,
	"config" json NOT NULL,
	"config_schema_version" integer NOT NULL,
	"version_id" uuid NOT NULL,
	"version_number" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "teams_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "teams_organization_id_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"status" integer NOT NULL,
	"reason" text,
	"execution_id" uuid,
	"dedupe_key" text,
	"ip" text,
	"headers" json NOT NULL,
	"body" text NOT NULL,
	"body_bytes" integer NOT NULL,
	CONSTRAINT "webhook_deliveries_once" UNIQUE("workflow_id","dedupe_key")
);
--> statement-breakpoint
CREATE TABLE "workflow_deployments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"published_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "workflow_resources" (
	"organization_id" uuid NOT NULL,
	"deployment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"resource_id" uuid NOT NULL,
	CONSTRAINT "workflow_resources_deployment_id_kind_resource_id_pk" PRIMARY KEY("deployment_id","kind","resource_id")
);
--> statement-breakpoint
CREATE TABLE "workflow_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"graph" json NOT NULL,
	"graph_hash" bigint GENERATED ALWAYS AS (hashtextextended(graph::text, 0)) STORED NOT NULL,
	"triggers" text[] NOT NULL,
	"label" text,
	"note" text,
	"created_by_kind" text NOT NULL,
	"created_by_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_versions_n" UNIQUE("workflow_id","n")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text,
	"name" text NOT NULL,
	"description" text,
	"draft" json NOT NULL,
	"draft_revision" integer NOT NULL,
	"draft_hash" bigint GENERATED ALWAYS AS (hashtextextended(draft::text, 0)) STORED NOT NULL,
	"draft_triggers" text[] NOT NULL,
	"active_deployment_id" uuid,
	"version_number" integer NOT NULL,
	"webhook_token_hash" text,
	"webhook_token_sealed" text,
	"signing_secret_sealed" text,
	"previous_secret_sealed" text,
	"previous_secret_until" timestamp (3) with time zone,
	"form_token_hash" text,
	"form_token_sealed" text,
	"form_username" text,
	"form_password_hash" text,
	"form_credential_version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "workflows_webhook_token_hash_unique" UNIQUE("webhook_token_hash"),
	CONSTRAINT "workflows_form_token_hash_unique" UNIQUE("form_token_hash"),
	CONSTRAINT "workflows_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "workflows_organization_id_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"run_id" uuid NOT NULL,
	"step_key" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"tool_call_id" text NOT NULL,
	"tool_name" text NOT NULL,
	"args" json NOT NULL,
	"args_hash" text NOT NULL,
	"forgets" boolean NOT NULL,
	"status" text NOT NULL,
	"resolved_by" json,
	"reason" text,
	"notify" json NOT NULL,
	"token_hash" text,
	"token_sealed" text,
	"notify_due_at" timestamp (3) with time zone,
	"notify_attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "approvals_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "approvals_step" UNIQUE("run_id","step_key")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"api_key_id" uuid NOT NULL,
	"path" text NOT NULL,
	"key" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"body_hash" text NOT NULL,
	"run_id" uuid,
	"workflow_run_id" uuid,
	"voice_session_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_api_key_id_path_key_pk" PRIMARY KEY("api_key_id","path","key"),
	CONSTRAINT "idempotency_keys_one_run" CHECK (num_nonnulls(run_id, workflow_run_id, voice_session_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "review_votes" (
	"review_id" uuid NOT NULL,
	"actor" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"actor_name" text NOT NULL,
	"decision" text NOT NULL,
	"comment" text,
	"data" json NOT NULL,
	"found" json NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "review_votes_review_id_actor_pk" PRIMARY KEY("review_id","actor")
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"workflow_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"node_id" text NOT NULL,
	"path" text NOT NULL,
	"status" text NOT NULL,
	"title" text NOT NULL,
	"instructions" text NOT NULL,
	"shown" json NOT NULL,
	"fields" json NOT NULL,
	"reviewers" json NOT NULL,
	"approvals_required" integer NOT NULL,
	"require_reject_comment" boolean NOT NULL,
	"allow_self_approval" boolean NOT NULL,
	"allow_api_keys" boolean NOT NULL,
	"notify" json NOT NULL,
	"token_hash" text,
	"token_sealed" text,
	"notify_due_at" timestamp (3) with time zone,
	"notify_attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"decided_at" timestamp (3) with time zone,
	"decision" json,
	CONSTRAINT "reviews_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "reviews_activation" UNIQUE("run_id","path","node_id")
);
--> statement-breakpoint
CREATE TABLE "run_events" (
	"run_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"seq_from" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"event" text NOT NULL,
	"data" json NOT NULL,
	"cuts" integer[],
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_events_run_id_seq_pk" PRIMARY KEY("run_id","seq")
);
--> statement-breakpoint
CREATE TABLE "run_messages" (
	"run_id" uuid NOT NULL,
	"idx" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"role" text NOT NULL,
	"content" text,
	"tool_calls" json,
	"tool_call_id" text,
	"tool_name" text,
	"is_error" boolean,
	"agent_id" uuid,
	"agent_name" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "run_messages_run_id_idx_pk" PRIMARY KEY("run_id","idx")
);
--> statement-breakpoint
CREATE TABLE "run_steps" (
	"run_id" uuid NOT NULL,
	"key" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"output" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_steps_run_id_key_pk" PRIMARY KEY("run_id","key")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"entity_version_id" uuid NOT NULL,
	"pins" json,
	"session_row_id" uuid NOT NULL,
	"session_seq" integer,
	"parent_run_id" uuid,
	"step_key" text,
	"workflow_run_id" uuid,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"success" boolean,
	"input" text,
	"content" text,
	"answer_agent_id" uuid,
	"error_code" text,
	"error_message" text,
	"stop_reason" text,
	"plan" json,
	"flags" json,
	"citations" json,
	"tag" text,
	"tool_context_sealed" text,
	"user_id" text NOT NULL,
	"names_user" boolean DEFAULT false NOT NULL,
	"memory_due_at" timestamp (3) with time zone,
	"include_messages" boolean NOT NULL,
	"store_messages" boolean DEFAULT true NOT NULL,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"failover_used" boolean DEFAULT false NOT NULL,
	"reserved_tokens" integer DEFAULT 0 NOT NULL,
	"reserved_cost_micros" bigint DEFAULT 0 NOT NULL,
	"api_key_id" uuid,
	"started_by_user_id" uuid,
	"worker_id" text,
	"lease_until" timestamp (3) with time zone,
	"slice" integer DEFAULT 0 NOT NULL,
	"dispatch_due_at" timestamp (3) with time zone,
	"waiting_since" timestamp (3) with time zone,
	"dispatched_at" timestamp (3) with time zone,
	"losses" integer DEFAULT 0 NOT NULL,
	"started_at" timestamp (3) with time zone,
	"limit_seconds" integer,
	"deadline_at" timestamp (3) with time zone,
	"log_trimmed" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "runs_tool_context_in_flight" CHECK (tool_context_sealed is null or status in ('queued', 'running'))
);
--> statement-breakpoint
CREATE TABLE "session_summaries" (
	"session_row_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"text" text NOT NULL,
	"covers_session_seq" integer NOT NULL,
	"model_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "session_summaries_session_row_id_version_pk" PRIMARY KEY("session_row_id","version")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"session_id" text NOT NULL,
	"user_id" text NOT NULL,
	"is_playground" boolean DEFAULT false NOT NULL,
	"last_seq" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_run_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_identity" UNIQUE NULLS NOT DISTINCT("organization_id","kind","entity_id","session_id","is_playground","project_id")
);
--> statement-breakpoint
CREATE TABLE "usage_months" (
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"dimension" text NOT NULL,
	"key" text,
	"runs" bigint NOT NULL,
	"model_calls" bigint NOT NULL,
	"failed_calls" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_micros" bigint,
	"month" date NOT NULL,
	CONSTRAINT "usage_months_identity" UNIQUE NULLS NOT DISTINCT("organization_id","dimension","month","project_id","key")
);
--> statement-breakpoint
CREATE TABLE "usage_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "usage_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"run_id" uuid NOT NULL,
	"member_run_id" uuid,
	"agent_id" uuid,
	"team_id" uuid,
	"workflow_id" uuid,
	"api_key_id" uuid,
	"session_id" text,
	"purpose" text NOT NULL,
	"llm_config_id" uuid NOT NULL,
	"model_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"is_fallback" boolean NOT NULL,
	"input_tokens" integer NOT NULL,
	"cached_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"reasoning_tokens" integer NOT NULL,
	"usage_incomplete" boolean NOT NULL,
	"cost_micros" bigint,
	"latency_ms" integer NOT NULL,
	"ttft_ms" integer,
	"ok" boolean NOT NULL,
	"error_code" text,
	"tag" text,
	"user_id" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_rollup" (
	"is_only" boolean PRIMARY KEY NOT NULL,
	"rolled_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_totals" (
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"dimension" text NOT NULL,
	"key" text,
	"runs" bigint NOT NULL,
	"model_calls" bigint NOT NULL,
	"failed_calls" bigint NOT NULL,
	"input_tokens" bigint NOT NULL,
	"cached_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_micros" bigint,
	"day" date NOT NULL,
	CONSTRAINT "usage_totals_identity" UNIQUE NULLS NOT DISTINCT("organization_id","dimension","day","project_id","key")
);
--> statement-breakpoint
CREATE TABLE "user_memories" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"kind" text NOT NULL,
	"entity_id" uuid NOT NULL,
	"keeper" text NOT NULL,
	"user_id" text NOT NULL,
	"text" text NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_memories_once" UNIQUE("organization_id","user_id","keeper","fingerprint")
);
--> statement-breakpoint
CREATE TABLE "workflow_iterations" (
	"run_id" uuid NOT NULL,
	"path" text NOT NULL,
	"node_id" text NOT NULL,
	"idx" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"output" json,
	CONSTRAINT "workflow_iterations_run_id_path_node_id_idx_pk" PRIMARY KEY("run_id","path","node_id","idx")
);
--> statement-breakpoint
CREATE TABLE "workflow_node_runs" (
	"run_id" uuid NOT NULL,
	"path" text NOT NULL,
	"node_id" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"status" text NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"retry" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone,
	"handles" text[],
	"input" json,
	"output" json,
	"error" text,
	"agent_run_id" uuid,
	"input_tokens" integer DEFAULT 0 NOT NULL,
	"output_tokens" integer DEFAULT 0 NOT NULL,
	"seq" integer NOT NULL,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "workflow_node_runs_run_id_path_node_id_pk" PRIMARY KEY("run_id","path","node_id")
);
--> statement-breakpoint
CREATE TABLE "workflow_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"workflow_id" uuid NOT NULL,
	"deployment_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"source" text NOT NULL,
	"fired_node_id" text,
	"scheduled_for" timestamp (3) with time zone,
	"status" text NOT NULL,
	"waits_for" text,
	"pause_reason" text,
	"input" json NOT NULL,
	"variables" json NOT NULL,
	"output" json,
	"error" text,
	"api_key_id" uuid,
	"started_by_user_id" uuid,
	"started_by_run_id" uuid,
	"waiter" text,
	"slice" integer DEFAULT 0 NOT NULL,
	"wake" boolean DEFAULT false NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"worker_id" text,
	"lease_until" timestamp (3) with time zone,
	"dispatch_due_at" timestamp (3) with time zone,
	"dispatched_at" timestamp (3) with time zone,
	"trace_erased" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"hint" text DEFAULT '' NOT NULL,
	"rpm" integer,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_by" uuid,
	"replaces_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_ip" text,
	"request_id" text,
	"action" text NOT NULL,
	"entity_kind" text NOT NULL,
	"entity_id" text NOT NULL,
	"before" json,
	"after" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" text NOT NULL,
	"mailed" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "invitations_address" UNIQUE("organization_id","email")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "members_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"rpm" integer NOT NULL,
	"concurrent_runs" integer NOT NULL,
	"trace_days" integer DEFAULT 30 NOT NULL,
	"run_days" integer DEFAULT 90 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "projects_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "projects_organization_id_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
CREATE TABLE "sign_in_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "user_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider_id" text NOT NULL,
	"account_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp (3) with time zone,
	"refresh_token_expires_at" timestamp (3) with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_accounts_provider" UNIQUE("provider_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"image" text,
	"signed_in_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email"),
	CONSTRAINT "users_email_lower" CHECK ("users"."email" = lower("users"."email"))
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "do_not_call" (
	"organization_id" uuid NOT NULL,
	"e164" text NOT NULL,
	"status" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "do_not_call_organization_id_e164_pk" PRIMARY KEY("organization_id","e164")
);
--> statement-breakpoint
CREATE TABLE "livekit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "phone_numbers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"trunk_id" uuid NOT NULL,
	"slug" text NOT NULL,
	"e164" text NOT NULL,
	"voice_config_id" uuid,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "phone_numbers_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "phone_numbers_of_trunk" UNIQUE("trunk_id","e164")
);
--> statement-breakpoint
CREATE TABLE "phone_trunks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"direction" text NOT NULL,
	"status" text NOT NULL,
	"provisioning" text NOT NULL,
	"provisioned_at" timestamp (3) with time zone,
	"provision_error" text,
	"lk_trunk_id" text,
	"config_hash" text NOT NULL,
	"provisioned_hash" text,
	"address" text NOT NULL,
	"transport" text NOT NULL,
	"auth_username" text,
	"auth_password_enc" text,
	"from_user" text,
	"media_encryption" text NOT NULL,
	"media_timeout_s" integer,
	"headers" json NOT NULL,
	"number_format" text NOT NULL,
	"default_country" text,
	"allowed_countries" text[] NOT NULL,
	"blocked_prefixes" text[] NOT NULL,
	"max_concurrent_calls" integer DEFAULT 5 NOT NULL,
	"max_cps" numeric DEFAULT 1 NOT NULL,
	"max_calls_per_destination_per_hour" integer DEFAULT 3 NOT NULL,
	"daily_call_cap" integer,
	"quiet_hours" json,
	"ringing_timeout_s" integer DEFAULT 30 NOT NULL,
	"max_call_s" integer DEFAULT 1800 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "phone_trunks_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "phone_trunks_owner" UNIQUE("organization_id","id"),
	CONSTRAINT "phone_trunks_provisioned" CHECK ((provisioned_at is null) = (provisioned_hash is null))
);
--> statement-breakpoint
CREATE TABLE "voice_configurations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text NOT NULL,
	"agent_id" uuid NOT NULL,
	"stt_provider" text NOT NULL,
	"tts_provider" text NOT NULL,
	"stt_credential_id" uuid,
	"tts_credential_id" uuid,
	"settings" json NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "voice_configurations_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "voice_configurations_owner" UNIQUE("organization_id","id"),
	CONSTRAINT "voice_configurations_agent" UNIQUE("agent_id")
);
--> statement-breakpoint
CREATE TABLE "voice_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"api_key_id" uuid NOT NULL,
	"agent_id" uuid NOT NULL,
	"agent_version_id" uuid NOT NULL,
	"voice_config_id" uuid NOT NULL,
	"session_state" text NOT NULL,
	"ended_reason" text,
	"room_name" text NOT NULL,
	"lk_room_sid" text,
	"participant_identity" text NOT NULL,
	"end_user_ref" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"phase_deadline" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"agent_ready_at" timestamp (3) with time zone,
	"first_ready_at" timestamp (3) with time zone,
	"agent_left_at" timestamp (3) with time zone,
	"first_joined_at" timestamp (3) with time zone,
	"joined_at" timestamp (3) with time zone,
	"left_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"erased_at" timestamp (3) with time zone,
	"dispatch_attempt" integer DEFAULT 1 NOT NULL,
	"dispatch_id" text,
	"dispatched_at" timestamp (3) with time zone,
	"unready" integer DEFAULT 0 NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"job_token_hash" text,
	"session_token_hash" text,
	"worker_id" text,
	"worker_seen_at" timestamp (3) with time zone,
	"missed_probe_at" timestamp (3) with time zone,
	"trunk_id" uuid,
	"phone_number_id" uuid,
	"to_e164" text,
	"from_e164" text,
	"to_country" text,
	"sip_call_id" text,
	"sip_status_code" integer,
	"sip_status" text,
	"failure_reason" text,
	"failure_message" text,
	"failover_used" boolean DEFAULT false NOT NULL,
	"room_gone" boolean DEFAULT false NOT NULL,
	"usage" json,
	"lease_period" date,
	"reserved_s" integer DEFAULT 0 NOT NULL,
	"charged_s" integer,
	"waiter_seen_at" timestamp (3) with time zone,
	"dialer_seen_at" timestamp (3) with time zone,
	CONSTRAINT "voice_sessions_room" UNIQUE("room_name")
);
--> statement-breakpoint
CREATE TABLE "voice_turns" (
	"session_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"item_id" text NOT NULL,
	"seq" integer NOT NULL,
	"role" text NOT NULL,
	"text" text NOT NULL,
	"interrupted" boolean DEFAULT false NOT NULL,
	"run_id" uuid,
	"metrics" json,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "voice_turns_session_id_item_id_pk" PRIMARY KEY("session_id","item_id")
);
--> statement-breakpoint
CREATE TABLE "voice_workers" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"capacity" integer NOT NULL,
	"active_jobs" integer NOT NULL,
	"draining" boolean NOT NULL,
	"version" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_fk" FOREIGN KEY ("organization_id","agent_id") REFERENCES "public"."agents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "form_uploads" ADD CONSTRAINT "form_uploads_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_chunks" ADD CONSTRAINT "knowledge_chunks_document_id_knowledge_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."knowledge_documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "knowledge_documents" ADD CONSTRAINT "knowledge_documents_base_fk" FOREIGN KEY ("organization_id","base_id") REFERENCES "public"."knowledge_bases"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "llm_configurations" ADD CONSTRAINT "llm_configurations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "llm_configurations" ADD CONSTRAINT "llm_configurations_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_server_tools" ADD CONSTRAINT "mcp_server_tools_server_fk" FOREIGN KEY ("organization_id","server_id") REFERENCES "public"."mcp_servers"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_credential_id_credentials_id_fk" FOREIGN KEY ("credential_id") REFERENCES "public"."credentials"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mcp_servers" ADD CONSTRAINT "mcp_servers_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_versions" ADD CONSTRAINT "skill_versions_skill_id_skills_id_fk" FOREIGN KEY ("skill_id") REFERENCES "public"."skills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_agents" ADD CONSTRAINT "team_agents_team_fk" FOREIGN KEY ("organization_id","team_id") REFERENCES "public"."teams"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_agents" ADD CONSTRAINT "team_agents_agent_fk" FOREIGN KEY ("organization_id","agent_id") REFERENCES "public"."agents"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_versions" ADD CONSTRAINT "team_versions_team_fk" FOREIGN KEY ("organization_id","team_id") REFERENCES "public"."teams"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_deployments" ADD CONSTRAINT "workflow_deployments_version_id_workflow_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."workflow_versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_resources" ADD CONSTRAINT "workflow_resources_deployment_id_workflow_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."workflow_deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_voice_session_id_voice_sessions_id_fk" FOREIGN KEY ("voice_session_id") REFERENCES "public"."voice_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_run_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_events" ADD CONSTRAINT "run_events_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_messages" ADD CONSTRAINT "run_messages_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_steps" ADD CONSTRAINT "run_steps_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_parent_run_id_runs_id_fk" FOREIGN KEY ("parent_run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_session_fk" FOREIGN KEY ("session_row_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_summaries" ADD CONSTRAINT "session_summaries_session_row_id_sessions_id_fk" FOREIGN KEY ("session_row_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_iterations" ADD CONSTRAINT "workflow_iterations_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_node_runs" ADD CONSTRAINT "workflow_node_runs_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_sessions" ADD CONSTRAINT "sign_in_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_accounts" ADD CONSTRAINT "user_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "do_not_call" ADD CONSTRAINT "do_not_call_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_trunk_fk" FOREIGN KEY ("organization_id","trunk_id") REFERENCES "public"."phone_trunks"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_voice_config_fk" FOREIGN KEY ("organization_id","voice_config_id") REFERENCES "public"."voice_configurations"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_trunks" ADD CONSTRAINT "phone_trunks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_trunks" ADD CONSTRAINT "phone_trunks_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_configurations" ADD CONSTRAINT "voice_configurations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_configurations" ADD CONSTRAINT "voice_configurations_stt_credential_id_credentials_id_fk" FOREIGN KEY ("stt_credential_id") REFERENCES "public"."credentials"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_configurations" ADD CONSTRAINT "voice_configurations_tts_credential_id_credentials_id_fk" FOREIGN KEY ("tts_credential_id") REFERENCES "public"."credentials"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_configurations" ADD CONSTRAINT "voice_configurations_agent_fk" FOREIGN KEY ("organization_id","agent_id") REFERENCES "public"."agents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_sessions" ADD CONSTRAINT "voice_sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "voice_turns" ADD CONSTRAINT "voice_turns_session_id_voice_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."voice_sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_versions_drafts" ON "agent_versions" USING btree ("created_at") WHERE n is null;--> statement-breakpoint
CREATE INDEX "agents_newest" ON "agents" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "agents_exposed" ON "agents" USING btree ("organization_id") WHERE config->>'expose' = 'mcp';--> statement-breakpoint
CREATE INDEX "agents_project_newest" ON "agents" USING btree ("organization_id","project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "form_uploads_unused" ON "form_uploads" USING btree ("created_at") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "form_uploads_used" ON "form_uploads" USING btree ("used_at") WHERE used_at is not null;--> statement-breakpoint
CREATE INDEX "form_uploads_waiting" ON "form_uploads" USING btree ("organization_id","workflow_id","visitor","size_bytes") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "form_uploads_workflow" ON "form_uploads" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "form_uploads_newest" ON "form_uploads" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "knowledge_bases_newest" ON "knowledge_bases" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "knowledge_bases_rebuilt" ON "knowledge_bases" USING btree ("id") WHERE next_set_id is not null or retired_set_ids <> '{}';--> statement-breakpoint
CREATE INDEX "knowledge_chunks_set" ON "knowledge_chunks" USING btree ("set_id");--> statement-breakpoint
CREATE INDEX "knowledge_chunks_words" ON "knowledge_chunks" USING gin ("words") WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE UNIQUE INDEX "knowledge_documents_content" ON "knowledge_documents" USING btree ("base_id","content_hash") WHERE source <> 'url';--> statement-breakpoint
CREATE UNIQUE INDEX "knowledge_documents_url" ON "knowledge_documents" USING btree ("base_id","url") WHERE source = 'url';--> statement-breakpoint
CREATE INDEX "knowledge_documents_newest" ON "knowledge_documents" USING btree ("base_id","created_at","id");--> statement-breakpoint
CREATE INDEX "knowledge_documents_queued" ON "knowledge_documents" USING btree ("created_at","id") WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX "llm_configurations_oldest" ON "llm_configurations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "schedule_fires_age" ON "schedule_fires" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_fire_at") WHERE next_fire_at is not null;--> statement-breakpoint
CREATE INDEX "schedules_waiting" ON "schedules" USING btree ("waiting_since") WHERE waiting_since is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "team_agents_one_lead" ON "team_agents" USING btree ("team_id") WHERE role = 'lead';--> statement-breakpoint
CREATE INDEX "team_agents_agent" ON "team_agents" USING btree ("organization_id","agent_id");--> statement-breakpoint
CREATE INDEX "team_versions_drafts" ON "team_versions" USING btree ("created_at") WHERE n is null;--> statement-breakpoint
CREATE INDEX "teams_exposed" ON "teams" USING btree ("organization_id") WHERE config->>'expose' = 'mcp';--> statement-breakpoint
CREATE INDEX "teams_newest" ON "teams" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("workflow_id","received_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "workflow_deployments_workflow" ON "workflow_deployments" USING btree ("workflow_id","published_at","id");--> statement-breakpoint
CREATE INDEX "workflow_resources_resource" ON "workflow_resources" USING btree ("organization_id","resource_id");--> statement-breakpoint
CREATE INDEX "workflow_versions_exposed" ON "workflow_versions" USING btree ("organization_id") WHERE graph->>'expose' = 'mcp';--> statement-breakpoint
CREATE INDEX "workflows_newest" ON "workflows" USING btree ("organization_id","created_at","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "approvals_inbox" ON "approvals" USING btree ("organization_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "approvals_notify" ON "approvals" USING btree ("notify_due_at") WHERE notify_due_at is not null;--> statement-breakpoint
CREATE INDEX "approvals_unsettled" ON "approvals" USING btree ("run_id") WHERE status = 'pending' or forgets;--> statement-breakpoint
CREATE INDEX "idempotency_keys_run" ON "idempotency_keys" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_workflow_run" ON "idempotency_keys" USING btree ("workflow_run_id") WHERE workflow_run_id is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_voice_session" ON "idempotency_keys" USING btree ("voice_session_id") WHERE voice_session_id is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "reviews_inbox" ON "reviews" USING btree ("organization_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_deadline" ON "reviews" USING btree ("expires_at") WHERE status = 'open' and expires_at is not null;--> statement-breakpoint
CREATE INDEX "reviews_notify" ON "reviews" USING btree ("notify_due_at") WHERE notify_due_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_session_seq" ON "runs" USING btree ("session_row_id","session_seq");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_parent_step" ON "runs" USING btree ("parent_run_id","step_key") WHERE parent_run_id is not null;--> statement-breakpoint
CREATE INDEX "runs_members" ON "runs" USING btree ("session_row_id","entity_id","created_at") WHERE parent_run_id is not null;--> statement-breakpoint
CREATE INDEX "runs_newest" ON "runs" USING btree ("organization_id","kind","created_at","id") WHERE parent_run_id is null and workflow_run_id is null;--> statement-breakpoint
CREATE INDEX "runs_of_entity" ON "runs" USING btree ("organization_id","entity_id","created_at","id") WHERE parent_run_id is null;--> statement-breakpoint
CREATE INDEX "runs_not_completed" ON "runs" USING btree ("organization_id","kind","status","created_at","id") WHERE parent_run_id is null and workflow_run_id is null and status <> 'completed';--> statement-breakpoint
CREATE INDEX "runs_failed" ON "runs" USING btree ("organization_id","completed_at") WHERE parent_run_id is null and workflow_run_id is null and status in ('failed', 'timeout');--> statement-breakpoint
CREATE INDEX "runs_in_flight" ON "runs" USING btree ("worker_id") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "runs_jobs_in_flight" ON "runs" USING btree ("created_at") WHERE source = 'api_async' and status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "runs_of_workflows_in_flight" ON "runs" USING btree ("workflow_run_id") WHERE source = 'workflow' and status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "runs_texts_to_erase" ON "runs" USING btree ("completed_at") WHERE not store_messages and input is not null and completed_at is not null;--> statement-breakpoint
CREATE INDEX "runs_tool_contexts" ON "runs" USING btree ("organization_id") WHERE tool_context_sealed is not null;--> statement-breakpoint
CREATE INDEX "runs_to_learn_from" ON "runs" USING btree ("memory_due_at") WHERE memory_due_at is not null;--> statement-breakpoint
CREATE INDEX "runs_of_playground" ON "runs" USING btree ("created_at") WHERE source = 'playground' and parent_run_id is null;--> statement-breakpoint
CREATE INDEX "runs_untrimmed_logs" ON "runs" USING btree ("completed_at") WHERE source <> 'api_sync' and not log_trimmed;--> statement-breakpoint
CREATE INDEX "sessions_newest" ON "sessions" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "sessions_named" ON "sessions" USING btree ("organization_id","session_id");--> statement-breakpoint
CREATE INDEX "sessions_of_playground" ON "sessions" USING btree ("created_at") WHERE is_playground;--> statement-breakpoint
CREATE INDEX "usage_records_time" ON "usage_records" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "usage_records_run" ON "usage_records" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "user_memories_newest" ON "user_memories" USING btree ("organization_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_in_flight" ON "workflow_runs" USING btree ("organization_id") WHERE status in ('queued', 'running', 'paused', 'awaiting_approval');--> statement-breakpoint
CREATE INDEX "workflow_runs_watched" ON "workflow_runs" USING btree ("created_at") WHERE status in ('queued', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow" ON "workflow_runs" USING btree ("workflow_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_organization" ON "workflow_runs" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_ended_as" ON "workflow_runs" USING btree ("organization_id","status","created_at","id") WHERE completed_at is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_failed" ON "workflow_runs" USING btree ("organization_id","completed_at") WHERE status in ('failed', 'timeout', 'loop_limit_reached', 'policy_blocked', 'concurrency_limit_reached');--> statement-breakpoint
CREATE INDEX "workflow_runs_ended" ON "workflow_runs" USING btree ("organization_id","trace_erased","completed_at") WHERE completed_at is not null;--> statement-breakpoint
CREATE INDEX "workflow_runs_out_of_budget" ON "workflow_runs" USING btree ("organization_id","project_id") WHERE status = 'paused' and pause_reason like 'budget %';--> statement-breakpoint
CREATE INDEX "api_keys_organization" ON "api_keys" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_log_entity" ON "audit_log" USING btree ("organization_id","entity_kind","entity_id","created_at");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_sessions_user" ON "sign_in_sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_sessions_expiry" ON "sign_in_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "user_accounts_user" ON "user_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "livekit_events_received" ON "livekit_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "phone_numbers_voice_config" ON "phone_numbers" USING btree ("voice_config_id");--> statement-breakpoint
CREATE INDEX "voice_sessions_slots" ON "voice_sessions" USING btree ("api_key_id") WHERE session_state in ('starting', 'waiting', 'dialing', 'active');--> statement-breakpoint
CREATE INDEX "voice_sessions_trunks" ON "voice_sessions" USING btree ("trunk_id") WHERE session_state in ('starting', 'waiting', 'dialing', 'active');--> statement-breakpoint
CREATE INDEX "voice_sessions_in_flight" ON "voice_sessions" USING btree ("phase_deadline") WHERE session_state in ('starting', 'waiting', 'dialing', 'active');--> statement-breakpoint
CREATE INDEX "voice_sessions_rooms_to_delete" ON "voice_sessions" USING btree ("ended_at") WHERE session_state in ('completed', 'failed') and not room_gone;--> statement-breakpoint
CREATE INDEX "voice_sessions_to_erase" ON "voice_sessions" USING btree ("organization_id","ended_at") WHERE session_state in ('completed', 'failed') and erased_at is null;--> statement-breakpoint
CREATE INDEX "voice_sessions_minutes" ON "voice_sessions" USING btree ("organization_id","lease_period","project_id","charged_s","reserved_s") WHERE kind = 'outbound_call';--> statement-breakpoint
CREATE INDEX "voice_sessions_calls_of_trunk" ON "voice_sessions" USING btree ("trunk_id","created_at") WHERE kind = 'outbound_call';--> statement-breakpoint
CREATE INDEX "voice_sessions_newest" ON "voice_sessions" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "voice_turns_run" ON "voice_turns" USING btree ("run_id") WHERE run_id is not null;--> statement-breakpoint
CREATE INDEX "voice_workers_seen" ON "voice_workers" USING btree ("last_seen_at");