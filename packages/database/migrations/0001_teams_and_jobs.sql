CREATE TABLE "run_steps" (
	"run_id" uuid NOT NULL,
	"key" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"output" json NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_steps_run_id_key_pk" PRIMARY KEY("run_id","key")
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
	"n" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"config" json NOT NULL,
	"config_schema_version" integer NOT NULL,
	"created_by_kind" text NOT NULL,
	"created_by_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "team_versions_n" UNIQUE("team_id","n")
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
DROP INDEX "runs_untrimmed_logs";--> statement-breakpoint
ALTER TABLE "run_messages" ALTER COLUMN "content" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "session_seq" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "worker_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "run_messages" ADD COLUMN "tool_calls" json;--> statement-breakpoint
ALTER TABLE "run_messages" ADD COLUMN "tool_call_id" text;--> statement-breakpoint
ALTER TABLE "run_messages" ADD COLUMN "tool_name" text;--> statement-breakpoint
ALTER TABLE "run_messages" ADD COLUMN "is_error" boolean;--> statement-breakpoint
ALTER TABLE "run_messages" ADD COLUMN "agent_name" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "pins" json;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "parent_run_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "step_key" text;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "answer_agent_id" uuid;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "plan" json;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "store_messages" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "slice" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "dispatch_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "dispatched_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "losses" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "started_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "limit_seconds" integer;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "deadline_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "usage_records" ADD COLUMN "member_run_id" uuid;--> statement-breakpoint
ALTER TABLE "run_steps" ADD CONSTRAINT "run_steps_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_agents" ADD CONSTRAINT "team_agents_team_fk" FOREIGN KEY ("organization_id","team_id") REFERENCES "public"."teams"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_agents" ADD CONSTRAINT "team_agents_agent_fk" FOREIGN KEY ("organization_id","agent_id") REFERENCES "public"."agents"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_versions" ADD CONSTRAINT "team_versions_team_fk" FOREIGN KEY ("organization_id","team_id") REFERENCES "public"."teams"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "team_agents_one_lead" ON "team_agents" USING btree ("team_id") WHERE role = 'lead';--> statement-breakpoint
CREATE INDEX "team_agents_agent" ON "team_agents" USING btree ("organization_id","agent_id");--> statement-breakpoint
CREATE INDEX "teams_newest" ON "teams" USING btree ("organization_id","created_at","id");--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_parent_run_id_runs_id_fk" FOREIGN KEY ("parent_run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "runs_parent_step" ON "runs" USING btree ("parent_run_id","step_key") WHERE parent_run_id is not null;--> statement-breakpoint
CREATE INDEX "runs_members" ON "runs" USING btree ("session_id","entity_id","created_at") WHERE parent_run_id is not null;--> statement-breakpoint
CREATE INDEX "runs_jobs_in_flight" ON "runs" USING btree ("created_at") WHERE source = 'api_async' and status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "runs_texts_to_erase" ON "runs" USING btree ("completed_at") WHERE not store_messages and input is not null and completed_at is not null;--> statement-breakpoint
CREATE INDEX "runs_untrimmed_logs" ON "runs" USING btree ("completed_at") WHERE source <> 'api_sync' and not log_trimmed;