CREATE TABLE "workflow_draft_snapshots" (
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"draft" json NOT NULL,
	"bytes" integer NOT NULL,
	"reason" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"label" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_draft_snapshots_workflow_id_revision_pk" PRIMARY KEY("workflow_id","revision")
);
--> statement-breakpoint
ALTER TABLE "workflow_draft_snapshots" ADD CONSTRAINT "workflow_draft_snapshots_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_draft_snapshots_at" ON "workflow_draft_snapshots" USING btree ("at");