CREATE TABLE "run_prompts" (
	"run_id" uuid NOT NULL,
	"series" uuid NOT NULL,
	"part" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"content" json NOT NULL,
	CONSTRAINT "run_prompts_run_id_series_part_pk" PRIMARY KEY("run_id","series","part")
);
--> statement-breakpoint
ALTER TABLE "usage_records" ADD COLUMN "prompt_id" uuid;--> statement-breakpoint
ALTER TABLE "run_prompts" ADD CONSTRAINT "run_prompts_run_id_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."runs"("id") ON DELETE cascade ON UPDATE no action;