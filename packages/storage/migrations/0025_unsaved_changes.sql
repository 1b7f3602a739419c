CREATE TABLE "unsaved_changes" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"thing_id" uuid NOT NULL,
	"agent_id" uuid GENERATED ALWAYS AS (case when kind = 'agent' then thing_id end) STORED,
	"team_id" uuid GENERATED ALWAYS AS (case when kind = 'team' then thing_id end) STORED,
	"change_id" uuid NOT NULL,
	"edit" json,
	"bytes" integer NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "unsaved_changes_thing_id_user_id_pk" PRIMARY KEY("thing_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_agent_fk" FOREIGN KEY ("organization_id","agent_id") REFERENCES "public"."agents"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_team_fk" FOREIGN KEY ("organization_id","team_id") REFERENCES "public"."teams"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsaved_changes" ADD CONSTRAINT "unsaved_changes_member_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."members"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unsaved_changes_person" ON "unsaved_changes" USING btree ("organization_id","user_id");--> statement-breakpoint
CREATE INDEX "unsaved_changes_saved" ON "unsaved_changes" USING btree ("saved_at");--> statement-breakpoint
CREATE INDEX "unsaved_changes_agent" ON "unsaved_changes" USING btree ("organization_id","agent_id");--> statement-breakpoint
CREATE INDEX "unsaved_changes_team" ON "unsaved_changes" USING btree ("organization_id","team_id");