ALTER TABLE "run_steps" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "run_steps" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;