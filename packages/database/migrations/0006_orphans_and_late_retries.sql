ALTER TABLE "runs" ADD COLUMN "workflow_run_id" uuid;--> statement-breakpoint
ALTER TABLE "workflow_node_runs" ADD COLUMN "retry" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_node_runs" ADD COLUMN "retry_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "runs_of_workflows_in_flight" ON "runs" USING btree ("workflow_run_id") WHERE source = 'workflow' and status in ('queued', 'running');