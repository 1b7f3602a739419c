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
	"status" text NOT NULL,
	"waits_for" text,
	"pause_reason" text,
	"input" json NOT NULL,
	"variables" json NOT NULL,
	"output" json,
	"error" text,
	"api_key_id" uuid,
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
	"active_deployment_id" uuid,
	"version_number" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "workflows_slug" UNIQUE("organization_id","slug"),
	CONSTRAINT "workflows_organization_id_id" UNIQUE("organization_id","id")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ALTER COLUMN "run_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "api_key_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "workflow_run_id" uuid;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_iterations" ADD CONSTRAINT "workflow_iterations_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_node_runs" ADD CONSTRAINT "workflow_node_runs_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_deployments" ADD CONSTRAINT "workflow_deployments_version_id_workflow_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."workflow_versions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_resources" ADD CONSTRAINT "workflow_resources_deployment_id_workflow_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."workflow_deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_runs_in_flight" ON "workflow_runs" USING btree ("organization_id") WHERE status in ('queued', 'running', 'paused', 'awaiting_approval');--> statement-breakpoint
CREATE INDEX "workflow_runs_watched" ON "workflow_runs" USING btree ("created_at") WHERE status in ('queued', 'running', 'paused');--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow" ON "workflow_runs" USING btree ("workflow_id","created_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_organization" ON "workflow_runs" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_ended" ON "workflow_runs" USING btree ("trace_erased","completed_at") WHERE completed_at is not null;--> statement-breakpoint
CREATE INDEX "workflow_deployments_workflow" ON "workflow_deployments" USING btree ("workflow_id","published_at","id");--> statement-breakpoint
CREATE INDEX "workflow_resources_resource" ON "workflow_resources" USING btree ("organization_id","resource_id");--> statement-breakpoint
CREATE INDEX "workflows_newest" ON "workflows" USING btree ("organization_id","created_at","id") WHERE deleted_at is null;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_workflow_run_id_workflow_runs_id_fk" FOREIGN KEY ("workflow_run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_workflow_run" ON "idempotency_keys" USING btree ("workflow_run_id") WHERE workflow_run_id is not null;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_one_run" CHECK (num_nonnulls(run_id, workflow_run_id) = 1);