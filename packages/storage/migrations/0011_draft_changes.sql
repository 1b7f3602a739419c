CREATE TABLE "workflow_draft_changes" (
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"change_id" uuid,
	"changes" json NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"gesture" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_draft_changes_workflow_id_revision_pk" PRIMARY KEY("workflow_id","revision"),
	CONSTRAINT "workflow_draft_changes_change" UNIQUE("workflow_id","change_id")
);
--> statement-breakpoint
ALTER TABLE "workflow_draft_changes" ADD CONSTRAINT "workflow_draft_changes_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_draft_changes_at" ON "workflow_draft_changes" USING btree ("at");