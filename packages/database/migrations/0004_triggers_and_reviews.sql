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
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"execution_id" uuid
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
ALTER TABLE "organizations" ADD COLUMN "trace_days" integer DEFAULT 30 NOT NULL;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "run_days" integer DEFAULT 90 NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "scheduled_for" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "started_by_user_id" uuid;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "webhook_token_hash" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "webhook_token_sealed" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "signing_secret_sealed" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "previous_secret_sealed" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "previous_secret_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "form_token_hash" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "form_token_sealed" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "form_username" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "form_password_hash" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "form_credential_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "form_uploads" ADD CONSTRAINT "form_uploads_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_votes" ADD CONSTRAINT "review_votes_review_id_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_fires" ADD CONSTRAINT "schedule_fires_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "form_uploads_unused" ON "form_uploads" USING btree ("created_at") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "form_uploads_used" ON "form_uploads" USING btree ("used_at") WHERE used_at is not null;--> statement-breakpoint
CREATE INDEX "form_uploads_workflow" ON "form_uploads" USING btree ("workflow_id");--> statement-breakpoint
CREATE INDEX "reviews_inbox" ON "reviews" USING btree ("organization_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "reviews_deadline" ON "reviews" USING btree ("expires_at") WHERE status = 'open' and expires_at is not null;--> statement-breakpoint
CREATE INDEX "reviews_notify" ON "reviews" USING btree ("notify_due_at") WHERE notify_due_at is not null;--> statement-breakpoint
CREATE INDEX "schedule_fires_age" ON "schedule_fires" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_fire_at") WHERE next_fire_at is not null;--> statement-breakpoint
CREATE INDEX "schedules_waiting" ON "schedules" USING btree ("waiting_since") WHERE waiting_since is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("workflow_id","received_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("received_at");--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_webhook_token_hash_unique" UNIQUE("webhook_token_hash");--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_form_token_hash_unique" UNIQUE("form_token_hash");