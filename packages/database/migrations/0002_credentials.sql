CREATE TABLE "credentials" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"project_id" uuid,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"username" text,
	"field" text,
	"sealed_secret" text NOT NULL,
	"hosts" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credentials_slug" UNIQUE("organization_id","slug")
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "tool_context_sealed" text;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_project_fk" FOREIGN KEY ("organization_id","project_id") REFERENCES "public"."projects"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "runs_tool_contexts" ON "runs" USING btree ("organization_id") WHERE tool_context_sealed is not null;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_tool_context_in_flight" CHECK (tool_context_sealed is null or status in ('queued', 'running'));