ALTER TABLE "approvals" ADD COLUMN "asks" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_node_runs" ADD COLUMN "note" text;