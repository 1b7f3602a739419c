ALTER TABLE "workflow_pins" ADD COLUMN "removed_step" text;--> statement-breakpoint
ALTER TABLE "workflow_pins" ADD COLUMN "removed_at" timestamp (3) with time zone;