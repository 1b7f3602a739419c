CREATE TABLE "workflow_listener_calls" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listener_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"verdict" text NOT NULL,
	"status" integer NOT NULL,
	"reason" text,
	"ip" text,
	"headers" json NOT NULL,
	"body" text NOT NULL,
	"body_bytes" integer NOT NULL,
	"kept_bytes" integer NOT NULL,
	CONSTRAINT "workflow_listener_calls_n" UNIQUE("listener_id","n")
);
--> statement-breakpoint
CREATE TABLE "workflow_listeners" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"token_hash" text NOT NULL,
	"token_sealed" text NOT NULL,
	"secret_sealed" text NOT NULL,
	"password_hash" text,
	"started_by" uuid,
	"calls" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflow_listeners_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "workflow_listeners_one" UNIQUE("workflow_id","kind")
);
--> statement-breakpoint
ALTER TABLE "form_uploads" ADD COLUMN "listener_id" uuid;--> statement-breakpoint
ALTER TABLE "workflow_listener_calls" ADD CONSTRAINT "workflow_listener_calls_listener_id_workflow_listeners_id_fk" FOREIGN KEY ("listener_id") REFERENCES "public"."workflow_listeners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_listeners" ADD CONSTRAINT "workflow_listeners_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_listeners_organization" ON "workflow_listeners" USING btree ("organization_id","expires_at");--> statement-breakpoint
CREATE INDEX "workflow_listeners_expired" ON "workflow_listeners" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "form_uploads_of_listeners" ON "form_uploads" USING btree ("created_at") WHERE listener_id is not null;