CREATE TABLE "workflow_draft_keeps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"reason" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"label" text,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "workflow_draft_keeps" ADD CONSTRAINT "workflow_draft_keeps_state_fk" FOREIGN KEY ("workflow_id","revision") REFERENCES "public"."workflow_draft_snapshots"("workflow_id","revision") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_draft_keeps_state" ON "workflow_draft_keeps" USING btree ("workflow_id","revision");--> statement-breakpoint
INSERT INTO "workflow_draft_keeps" ("id", "organization_id", "workflow_id", "revision", "reason", "actor_kind", "actor_id", "label", "at")
SELECT gen_random_uuid(), "organization_id", "workflow_id", "revision", "reason", "actor_kind", "actor_id", "label", "at"
FROM "workflow_draft_snapshots" WHERE "reason" <> 'editing';--> statement-breakpoint
ALTER TABLE "workflow_draft_snapshots" DROP COLUMN "reason";--> statement-breakpoint
ALTER TABLE "workflow_draft_snapshots" DROP COLUMN "actor_kind";--> statement-breakpoint
ALTER TABLE "workflow_draft_snapshots" DROP COLUMN "actor_id";--> statement-breakpoint
ALTER TABLE "workflow_draft_snapshots" DROP COLUMN "label";