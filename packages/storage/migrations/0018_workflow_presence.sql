CREATE TABLE "workflow_presence" (
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"tab_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"node_id" text,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_presence_workflow_id_tab_id_pk" PRIMARY KEY("workflow_id","tab_id")
);
--> statement-breakpoint
ALTER TABLE "workflow_presence" ADD CONSTRAINT "workflow_presence_workflow_fk" FOREIGN KEY ("organization_id","workflow_id") REFERENCES "public"."workflows"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "workflow_presence" ADD CONSTRAINT "workflow_presence_member_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."members"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "workflow_presence_user" ON "workflow_presence" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "workflow_presence_seen" ON "workflow_presence" USING btree ("seen_at");