CREATE TABLE "workflow_test_cases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"name" text NOT NULL,
	"trigger_node_id" text,
	"payload" json,
	"mocks" json NOT NULL,
	"mocked" json NOT NULL,
	"secret_names" text[] NOT NULL,
	"expectation" json NOT NULL,
	"blocking" boolean NOT NULL,
	"version" integer NOT NULL,
	"from_run_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "workflow_test_results" (
	"test_case_id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"case_version" integer NOT NULL,
	"draft_revision" integer NOT NULL,
	"content_hash" text NOT NULL,
	"verdict" text,
	"differences" json NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "workflow_test_cases" ADD CONSTRAINT "workflow_test_cases_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_test_results" ADD CONSTRAINT "workflow_test_results_test_case_id_workflow_test_cases_id_fk" FOREIGN KEY ("test_case_id") REFERENCES "public"."workflow_test_cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_test_cases_workflow" ON "workflow_test_cases" USING btree ("organization_id","workflow_id");