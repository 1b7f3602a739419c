DROP INDEX "workflow_runs_workflow";--> statement-breakpoint
DROP INDEX "workflow_runs_ended";--> statement-breakpoint
CREATE INDEX "workflow_runs_out_of_budget" ON "workflow_runs" USING btree ("organization_id","project_id") WHERE status = 'paused' and pause_reason like 'budget %';--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow" ON "workflow_runs" USING btree ("workflow_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_ended" ON "workflow_runs" USING btree ("organization_id","trace_erased","completed_at") WHERE completed_at is not null;