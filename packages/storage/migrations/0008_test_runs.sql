CREATE TABLE "workflow_run_seeds" (
	"run_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"node_id" text NOT NULL,
	"path" text,
	"output" json,
	"handles" text[],
	"variables" json,
	"iterations" json,
	"origin" text NOT NULL,
	"from_run_id" uuid,
	CONSTRAINT "workflow_run_seeds_run_id_n_pk" PRIMARY KEY("run_id","n")
);
--> statement-breakpoint
DROP INDEX "runs_of_playground";--> statement-breakpoint
ALTER TABLE "workflow_versions" ALTER COLUMN "n" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ALTER COLUMN "deployment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD COLUMN "content_hash" text;--> statement-breakpoint
ALTER TABLE "reviews" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_node_runs" ADD COLUMN "seeded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "kind" text DEFAULT 'run' NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_runs" ADD COLUMN "scope" json;--> statement-breakpoint
ALTER TABLE "workflow_run_seeds" ADD CONSTRAINT "workflow_run_seeds_run_id_workflow_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."workflow_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_versions_drafts" ON "workflow_versions" USING btree ("created_at") WHERE n is null;--> statement-breakpoint
CREATE INDEX "workflow_runs_tests" ON "workflow_runs" USING btree ("created_at") WHERE kind = 'test';--> statement-breakpoint
CREATE INDEX "runs_of_playground" ON "runs" USING btree ("created_at") WHERE is_test and parent_run_id is null;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_content" UNIQUE("workflow_id","content_hash");--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD CONSTRAINT "workflow_versions_kind" CHECK ((n is null) = (content_hash is not null));