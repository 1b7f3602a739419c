CREATE TABLE "workflow_pins" (
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"node_id" text NOT NULL,
	"output" json,
	"shown" json,
	"handles" text[],
	"input_hash" text NOT NULL,
	"from_run_id" uuid,
	"secret_names" text[] NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_pins_workflow_id_node_id_pk" PRIMARY KEY("workflow_id","node_id")
);
--> statement-breakpoint
ALTER TABLE "workflow_pins" ADD CONSTRAINT "workflow_pins_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;